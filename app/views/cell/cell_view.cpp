#include "app/views/cell/cell.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/covered.h"
#include "app/reading/walk_scene.h"
#include "app/views/common/stage_text.h"
#include "engine/math/error.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr const char* kTerms = "cell terms";

Rect content_of(const Rect& area) {
  const Rect inner = stage_inner(area);
  const float top = area.y + kStageTop;
  return {inner.x, top, inner.width, area.bottom() - kTransport - top};
}

// All that its work reads.
bool is_source(const CellScene& scene, const CellRef& cell) {
  const auto reads = [&](const CellNumber& number) { return scene.source(number) == cell; };
  const CellWork& work = scene.work();
  return std::ranges::any_of(work.lines, [&](const CellLine& line) { return reads(line.number); }) ||
         std::ranges::any_of(work.terms,
                             [&](const CellTerm& term) { return std::ranges::any_of(term.numbers, reads); });
}

// Of the term whose operands are largest together the first one; without terms the first number that is used.
std::optional<CellRef> weightiest(const CellScene& scene) {
  std::optional<CellRef> found;
  // Of a row that was read whole it is the number in the cell's own place.
  for (const CellTerm& term : scene.work().terms) {
    for (const CellNumber& number : term.numbers) {
      const bool own = number.row == scene.row && number.column == scene.column;
      if (number.input >= 0 && own && !scene.work().product()) return scene.source(number);
    }
  }
  double largest = -1;
  for (const CellTerm& term : scene.work().terms) {
    double together = 1;
    std::optional<CellRef> first;
    for (const CellNumber& number : term.numbers) {
      if (number.input < 0) continue;
      together *= std::abs(number.value);
      if (!first) first = scene.source(number);
    }
    if (first && together > largest) largest = together, found = first;
  }
  for (const CellLine& line : scene.work().lines)
    if (!found && line.number.input >= 0) found = scene.source(line.number);
  return found;
}

}  // namespace

void CellView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const float reserved = ModelSwitch::reserved(canvas, input);
  if (model_.recurrent(input)) {
    const GruPage page = gru_page(input.recurrent);
    draw_stage_title(canvas, area, gru_title(page), gru_subtitle(page), reserved);
    return draw_gru(canvas, stage_content(area), page);
  }
  const CellScene scene(input, *caches_, input.pinned.cell);
  if (scene.waiting())
    return draw_nothing_yet(canvas, area, "Running the sentence forward and backward",
                            "How this gradient comes about will stand here in a moment.");
  draw_stage_title(canvas, area, cell_title(scene), cell_subtitle(scene), reserved);
  if (scene.covered()) return draw_nothing_yet(canvas, content_of(area), "Covered", kCovered);
  draw_cell(canvas, content_of(area), scene, shown(scene));
}

CellShown CellView::shown(const CellScene& scene) const {
  if (just_opened(scene)) return {.progress = cell_progress(scene.work(), kLast)};
  return {
      .progress = cell_progress(scene.work(), transport_.at), .product = product_, .first_row = first_row_};
}

// An operand of the last cell lies behind it on the way back; anything else begins a new way.
void CellView::follow(const CellScene& scene) {
  if (current_ == scene.cell) return;
  if (current_) {
    const CellScene before(scene.reader.input(), *caches_, current_);
    const auto known = std::ranges::find(trail_, scene.cell);
    if (known != trail_.end()) {
      trail_.erase(known, trail_.end());
    } else if (before.cell == current_ && is_source(before, scene.cell)) {
      trail_.push_back(*current_);
    } else {
      trail_.clear();
    }
  }
  current_ = scene.cell;
  transport_.at = kLast;
  product_ = first_row_ = 0;
}

void CellView::to_neighbour(ui::Ui& ui, const CellScene& scene) {
  using ui::Key;
  if (ui.field_active() || ui.popup.is_open() || !ui.shift()) return;
  const int rows = scene.reader.extent(scene.operand.rows),
            columns = scene.reader.extent(scene.operand.columns);
  int at = scene.row * columns + scene.column;
  if (ui.pressed(Key::right)) ++at;
  if (ui.pressed(Key::left)) --at;
  at = std::clamp(at, 0, rows * columns - 1);
  if (at == scene.row * columns + scene.column) return;
  const auto cell = scene.reader.cell(scene.operand, at / columns, at % columns);
  if (cell) ui.push(SetPin{selecting(scene.reader.input().pinned, *cell)});
}

void CellView::choose_product(ui::Ui& ui, const CellScene& scene, const Rect& content) {
  const std::vector<CellProduct>& products = scene.work().products;
  if (products.size() < 2) return;
  std::vector<std::string> names;
  for (const CellProduct& each : products) names.push_back(scene.product_name(each));
  const float room = content.width - cell_work_area(content).width - 28;
  const bool few = products.size() <= 4 && ui.segmented_width(names) <= room;
  const bool chosen =
      few ? Segmented(ui, {content.x, content.y, ui.segmented_width(names), 32}, "Product shown", names,
                      product_)
          : Combo(ui, {content.x, content.y, std::min(room, 240.0f), 32}, "Product shown", names, product_);
  if (!chosen) return;
  // The table goes along.
  const CellTable table = cell_table(cell_work_area(content), scene);
  const auto row = std::ranges::find(table.rows, product_, &CellTable::Row::product);
  first_row_ = static_cast<int>(row - table.rows.begin());
  ui.scroll.to(kTerms, {0, kTermRow * static_cast<float>(first_row_)});
  ui.ask_frame(0);
}

// The wheel, the bar and PgUp, PgDn move the rows that have no room.
void CellView::scroll_table(ui::Ui& ui, const CellScene& scene, const Rect& content) {
  const CellTable table = cell_table(cell_work_area(content), scene);
  if (table.rows.empty() || table.whole()) return;
  const bool adding = shown(scene).progress.stage == CellStage::sum;
  const int before = adding ? table.first(shown(scene)) : first_row_;
  float wanted = ui.scroll.of(kTerms).y;
  if (adding || just_scrolled_ != scene.cell) wanted = kTermRow * static_cast<float>(before);
  const bool keys = !ui.field_active() && !ui.popup.is_open();
  if (keys && ui.pressed(ui::Key::page_down)) wanted += kTermRow * static_cast<float>(table.moving());
  if (keys && ui.pressed(ui::Key::page_up)) wanted -= kTermRow * static_cast<float>(table.moving());
  ui.scroll.to(kTerms, {0, wanted});
  just_scrolled_ = scene.cell;
  const Rect place{table.place.x, table.place.y, table.place.width + 12,
                   kTermRow * static_cast<float>(table.moving())};
  ui.scroll.begin(place, kTerms, {place.width, kTermRow * static_cast<float>(table.length())});
  ui.scroll.end();
  first_row_ = static_cast<int>(std::lround(ui.scroll.of(kTerms).y / kTermRow));
  if (first_row_ != before) ui.ask_frame(0);
}

Point CellView::minimum_size(const ViewInput& input) const {
  return model_.recurrent(input) ? gru_minimum() : Point{760, 520};
}

void CellView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  if (model_.recurrent(input)) {
    const GruPage page = gru_page(input.recurrent);
    gru_controls(ui, stage_content(area), page);
    return model_.show(ui, input, area, gru_title(page));
  }
  transformer_controls(ui, input, area);
  if (ModelSwitch::offered(input))
    model_.show(ui, input, area, cell_title(CellScene(input, *caches_, input.pinned.cell)));
  else
    model_.turn(false);
}

void CellView::transformer_controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const CellScene scene(input, *caches_, input.pinned.cell);
  follow(scene);
  if (scene.waiting()) return ui.ask_frame(0.05);
  if (scene.covered()) return;
  if (checks_->busy()) ui.ask_frame(0.05);
  to_neighbour(ui, scene);
  choose_product(ui, scene, content_of(area));
  scroll_table(ui, scene, content_of(area));
  transport_.seconds = input.reduced_motion ? 0.8 : 0.5;
  const StageFoot foot(ui, area, kTransport);
  transport_.show(ui, foot.transport(), cell_moments(scene.work()),
                  {.name = "Cell", .word = "Moment", .hint = "click an operand, Backspace goes back"});
}

ViewPlace CellView::place(const ViewInput& input) const {
  if (model_.recurrent(input))
    return {
        .path = {"Recurrent model", input.recurrent.pin.place.encoder ? "Encoder" : "Decoder", "One cell"}};
  const CellScene scene(input, *caches_, input.pinned.cell);
  std::vector<std::string> path = scene.place();
  const bool followed = current_ == scene.cell;
  if (followed) {
    if (!trail_.empty()) path = CellScene(input, *caches_, trail_.front()).place();
    for (const CellRef& cell : trail_) path.push_back(CellScene(input, *caches_, cell).name());
  }
  path.push_back(scene.name());
  return {.path = std::move(path), .computing = scene.cell.name};
}

// As the Walk explains it; its links stay here.
std::optional<InspectorPage> CellView::gradient_page(const ViewInput& input, const CellRef& cell) const {
  const auto scene = walk_scene(*walks_, input);
  const auto stored = scene ? scene->reader().stored(cell) : std::nullopt;
  if (!stored) return std::nullopt;
  CheckCache* checks = input.pinned.cell == cell ? checks_.get() : nullptr;
  InspectorPage page = walk_cell_page(input, *scene, scene->steps.front(), *stored, checks);
  for (InspectorSection& section : page.sections)
    for (InspectorRow& row : section.rows)
      if (const auto* open = row.link ? row.link->get_if<OpenStep>() : nullptr)
        row.link = SetPin{selecting(input.pinned, CellRef(open->cell))};
  return page;
}

std::optional<InspectorPage> CellView::inspect(const ViewInput& input) const {
  if (model_.recurrent(input)) return gru_inspector_page(gru_page(input.recurrent));
  if (CellScene(input, *caches_, input.shown.cell ? input.shown.cell : input.pinned.cell).covered())
    return InspectorPage{.caption = "Covered", .meaning = kCovered};
  if (input.shown.cell && input.shown.cell->gradient) return gradient_page(input, *input.shown.cell);
  const CellScene scene(input, *caches_, input.pinned.cell);
  const bool loss = scene.operand.store == OperandStore::loss;
  if ((input.pinned.cell && !loss) || input.hovering) return std::nullopt;
  InspectorPage page;
  page.caption = scene.is_weight() ? "Weight" : std::string(scene.step->name);
  page.subject = "**" + scene.name() + "**";
  page.value = format_pinned(scene.value);
  page.full_value = format_full(scene.value);
  page.name = scene.cell.name;
  if (!scene.is_weight()) {
    page.meaning = explanation(*scene.step);
    if (!scene.step->section.empty()) page.paper = "Paper, section " + std::string(scene.step->section);
  }
  return page;
}

std::vector<NumberTable> CellView::numbers(const ViewInput& input) const {
  if (model_.recurrent(input)) return gru_numbers(gru_page(input.recurrent));
  const CellScene scene(input, *caches_, input.pinned.cell);
  if (scene.covered()) return {};
  std::vector<NumberTable> tables{
      {.title = scene.name() + " (" + scene.cell.name + ")", .columns = {"number"}}};
  NumberTable& value = tables.front();
  for (const CellLine& line : scene.work().lines) {
    value.rows.push_back(line.label);
    value.values.push_back({line.number.value});
  }
  value.rows.emplace_back(scene.changed() ? "recorded, set by a change" : "recorded");
  value.values.push_back({scene.value});
  for (NumberTable& matrix : cell_matrix_tables(scene, shown(scene))) tables.push_back(std::move(matrix));
  if (scene.work().terms.empty()) return tables;
  NumberTable& terms = tables.emplace_back();
  terms.title = "terms";
  terms.columns = scene.work().headings;
  for (const CellTerm& term : scene.work().terms) {
    terms.rows.push_back(scene.term_label(term));
    std::vector<double>& row = terms.values.emplace_back();
    for (const CellNumber& number : term.numbers) row.push_back(number.value);
  }
  return tables;
}

std::string CellView::caption(const ViewInput& input) const {
  if (model_.recurrent(input)) return gru_caption(gru_page(input.recurrent));
  const CellScene scene(input, *caches_, input.pinned.cell);
  if (scene.covered()) return kCovered;
  std::string text;
  for (const std::string& part : scene.place()) text += text.empty() ? part : ", " + part;
  text += (text.empty() ? "" : ": ") + cell_title(scene) + " = " + format_full(scene.value);
  if (!scene.is_weight()) text += ", " + symbols_formula(*scene.step);
  return text + ".";
}

// Back along the way that led here; from its beginning to the head, or to the step of the Walk.
bool CellView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  if (model_.recurrent(input)) {
    if (gru_key(key, gru_page(input.recurrent), commands)) return true;
    if (key.typed != ViewKey::enter && key.typed != ViewKey::backspace) return false;
    if (key.typed == ViewKey::backspace) commands.push_back(OpenView{"attention", "Model", "Recurrent"});
    return true;
  }
  if (key.typed == ViewKey::enter)
    deeper(input, commands);
  else if (key.typed == ViewKey::backspace)
    up(key.times, input, commands);
  else
    return false;
  return true;
}

void CellView::deeper(const ViewInput& input, Commands& commands) const {
  const CellScene scene(input, *caches_, input.pinned.cell);
  if (scene.waiting() || scene.is_weight() || scene.is_id()) return;
  if (const auto operand = weightiest(scene)) commands.push_back(SetPin{selecting(input.pinned, *operand)});
}

void CellView::up(int levels, const ViewInput& input, Commands& commands) const {
  const auto length = static_cast<int>(trail_.size());
  if (levels <= length) {
    const CellRef to = trail_[static_cast<std::size_t>(length - levels)];
    commands.push_back(SetPin{selecting(input.pinned, to)});
    return;
  }
  const CellRef first = trail_.empty() ? CellScene(input, *caches_, input.pinned.cell).cell : trail_.front();
  const bool of_head = !first.gradient && read_attention_name(first.name).has_value();
  if (of_head) {
    commands.push_back(OpenView{"head"});
  } else {
    commands.push_back(OpenStep{first});
  }
}

ViewTraits CellView::traits() const {
  const bool gradient = current_ && current_->gradient;
  if (model_.turned()) return {.of_recurrent = true, .state = "recurrent"};
  return {.shows = [](const CellRef&) { return true; },
          .wants_gradients = gradient,
          .wants_moments = gradient,
          .state = "trail " + std::to_string(trail_.size()) + (transport_.playing() ? ", playing" : ""),
          .panels = {"work"}};
}

Selection CellView::cell_of_step(const ViewInput& input, int step, int row, int column) const {
  const CellScene scene(input, *caches_, std::nullopt);
  const std::vector<Step>& steps = scene.reader.steps();
  if (step < 0 || step >= static_cast<int>(steps.size()))
    throw Error("--step", "a cell belongs to a step, 1 to " + std::to_string(steps.size()));
  const Operand& output = steps[static_cast<std::size_t>(step)].output;
  const int rows = scene.reader.extent(output.rows), columns = scene.reader.extent(output.columns);
  if (row < 0 || row >= rows || column < 0 || column >= columns)
    throw Error("--row, --column", "this step gives " + std::to_string(rows) + " × " +
                                       std::to_string(columns) + " numbers, counted from 0");
  const auto cell = scene.reader.cell(output, row, column);
  return selecting(input.pinned, *cell);
}

std::unique_ptr<View> make_cell_view() {
  return std::make_unique<CellView>();
}

}  // namespace glassformer
