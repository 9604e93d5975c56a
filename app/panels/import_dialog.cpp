#include <filesystem>
#include <utility>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/import_form.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"

namespace glassformer {

namespace {

using Read = ImportForm::Read;

constexpr float kReportRow = 24, kField = 36;

Read read_model(const std::string& source, const ImportOptions& options) {
  try {
    return {std::make_shared<const ImportedModel>(import_model(source, options)), {}};
  } catch (const std::exception& error) {
    return {nullptr, failure_words(error)};
  }
}

Read save_model_in(const std::string& folder, std::shared_ptr<const ImportedModel> model) {
  try {
    save_import(folder, *model);
    return {std::move(model), {}};
  } catch (const std::exception& error) {
    return {std::move(model), failure_words(error)};
  }
}

// A row of the report: what, and what is said of it.
struct ReportRow {
  std::string name, says;
  bool heading = false;
};

std::string joined(const nlohmann::json& names) {
  std::string text;
  for (const nlohmann::json& name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
  return text;
}
std::string shape_words(const nlohmann::json& shape) {
  std::string text;
  for (const nlohmann::json& extent : shape) text += (text.empty() ? "" : " × ") + extent.dump();
  return text;
}

std::vector<ReportRow> report_rows(const nlohmann::json& report) {
  std::vector<ReportRow> rows;
  const auto add = [&](const char* title, const char* part, const auto& row) {
    const nlohmann::json& entries = report.at(part);
    if (entries.empty()) return;
    rows.push_back({title, format_count(static_cast<long>(entries.size())), true});
    for (const nlohmann::json& entry : entries) rows.push_back(row(entry));
  };
  // Names are in a table: without the marks that a sentence puts around them.
  const auto text = [](const nlohmann::json& entry, const char* key) {
    auto words = entry.at(key).get<std::string>();
    std::erase(words, '`');
    return words;
  };
  add("Assumed", "assumed", [&](const nlohmann::json& each) {
    const std::string value = each.at("value").is_null() ? "none" : each.at("value").dump();
    return ReportRow{text(each, "key") + ": " + value, text(each, "why")};
  });
  add("Changed", "changed", [&](const nlohmann::json& each) {
    return ReportRow{"gains of the norms", text(each, "what")};
  });
  add("Left out, by the file's names", "ignored", [&](const nlohmann::json& each) {
    return ReportRow{text(each, "name"), text(each, "why")};
  });
  add("Mapped, our name and the file's", "mapped", [&](const nlohmann::json& each) {
    return ReportRow{text(each, "to"), joined(each.at("from")) + ", " + shape_words(each.at("shape"))};
  });
  return rows;
}

std::string summary_of(const ImportedModel& model) {
  const Config& config = model.snapshot.config;
  return format_count(model.report.at("parameters").get<long>()) + " weights, " +
         std::to_string(config.encoder_layers) + " + " + std::to_string(config.decoder_layers) +
         " layers, d " + std::to_string(config.d_model) + ", " + std::to_string(config.heads) + " heads; " +
         (model.tokenizers.source ? "it reads and writes text" : "ids go in and out");
}

// The dialog from top to bottom.
class ImportDialog {
 public:
  ImportDialog(ui::Ui& ui, ImportForm& form, const Rect& body)
      : ui_(ui), form_(form), body_(body), y_(body.y) {}

  void show() {
    ui_.canvas().text({body_.x, y_ + 8}, elided(ui_.canvas(), form_.source, styles::caption(t_), body_.width),
                      styles::caption(t_));
    ui_.tooltip({body_.x, y_, body_.width, 16}, form_.source);
    y_ += 28;
    if (form_.busy()) return say(form_.saving.valid() ? "Writing the model…" : "Reading…");
    if (!form_.read.error.empty()) error();
    if (form_.read.model) found();
    if ((form_.read.model || !form_.heads.empty()) && fields()) return form_.read_again(), ui_.ask_frame(0);
    if (form_.read.model) report({body_.x, y_, body_.width, body_.bottom() - 48 - y_});
  }

 private:
  void say(const std::string& words) {
    ui_.canvas().text({body_.x, y_ + 10}, words, styles::body(t_));
    ui_.note({body_.x, y_, body_.width, 20}, "import state", words);
    ui_.ask_frame(0.05);
  }
  void error() {
    const float used = paragraph(ui_.canvas(), {body_.x, y_}, body_.width, form_.read.error,
                                 {.size = 14, .color = t_.wrong});
    ui_.note({body_.x, y_, body_.width, used}, "import error", form_.read.error);
    y_ += used + 12;
  }
  void found() {
    const std::string kind(import_kind_words(form_.read.model->report.at("kind").get<std::string>()));
    ui_.canvas().text({body_.x, y_ + 10}, kind, styles::heading(t_));
    ui_.note({body_.x, y_, body_.width, 20}, "import kind", kind);
    const std::string summary = summary_of(*form_.read.model);
    y_ += 24 + paragraph(ui_.canvas(), {body_.x, y_ + 24}, body_.width, summary, styles::body_second(t_));
    ui_.note({body_.x, y_ - 20, body_.width, 20}, "import summary", summary);
    y_ += 12;
  }
  // Nothing in the file says these. True: one was typed, and the file is to be read again.
  bool fields() {
    bool again = false;
    const float names = (body_.width - 120 - 24) / 2;
    const auto field = [&](float x, float width, const char* label, std::string& text, const char* hint) {
      ui_.canvas().text({x, y_ + 8}, label, styles::caption(t_));
      again |=
          TextField(ui_, {x, y_ + 20, width, kField}, label, text, {.hint = hint}) == ui::FieldEvent::entered;
    };
    field(body_.x, 120, "Heads", form_.heads, "");
    if (form_.wants_lists) {
      field(body_.x + 132, names, "Source vocabulary", form_.source_vocabulary, "a file, a token a line");
      field(body_.x + 144 + names, names, "Target vocabulary", form_.target_vocabulary,
            "a file, a token a line");
    }
    y_ += 20 + kField + 16;
    return again && form_.source_vocabulary.empty() == form_.target_vocabulary.empty();
  }
  void report(const Rect& list) {
    const std::vector<ReportRow> rows = report_rows(form_.read.model->report);
    Canvas& canvas = ui_.canvas();
    if (std::exchange(form_.fresh, false)) ui_.scroll.to("import report", {});
    canvas.rectangle(list, {.fill = t_.paper, .outline = t_.border, .radius = 6});
    const Rect inside = ui_.scroll.begin(list.inset(1), "import report",
                                         {list.width - 2, static_cast<float>(rows.size()) * kReportRow + 16});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Rect place{inside.x + 12, inside.y + 8 + static_cast<float>(i) * kReportRow, list.width - 32,
                       kReportRow};
      if (place.bottom() < list.y || place.y > list.bottom()) continue;
      row(place, rows[i]);
    }
    ui_.scroll.end();
  }
  void row(const Rect& place, const ReportRow& each) {
    Canvas& canvas = ui_.canvas();
    const float left = each.heading ? 260 : std::round(place.width * 0.45f);
    const TextStyle name = each.heading ? styles::heading(t_) : styles::body(t_);
    canvas.text({place.x, place.center().y}, elided(canvas, each.name, name, left - 12), name);
    canvas.text({place.x + left, place.center().y},
                elided(canvas, each.says, styles::caption(t_), place.width - left), styles::caption(t_));
    ui_.tooltip(place, each.name + "\n" + each.says);
    ui_.note(place, "import row " + each.name, each.says);
  }

  ui::Ui& ui_;
  ImportForm& form_;
  const Rect body_;
  float y_;
  const Theme& t_ = ui_.theme();
};

// What the worker has done since the last frame. True: the model is in its folder and is opened.
bool take_work(ui::Ui& ui, ImportForm& form) {
  if (form.reading.valid() && is_ready(form.reading)) {
    form.read = form.reading.get();
    if (form.read.model && form.heads.empty()) {
      form.heads = form.assumed_heads = std::to_string(form.read.model->snapshot.config.heads);
      form.read_with = form.typed();
    }
    if (form.read.model) form.wants_lists = form.wants_lists || !form.read.model->tokenizers.source;
    if (std::exchange(form.opens, false) && form.read.model) form.save();
  }
  if (!form.saving.valid() || !is_ready(form.saving)) return false;
  form.read = form.saving.get();
  if (!form.read.error.empty()) return false;
  ui.push(OpenModel{form.folder});
  return true;
}

}  // namespace

void ImportForm::start(const std::string& path) {
  close();
  source = path;
  heads = assumed_heads = source_vocabulary = target_vocabulary = "";
  opens = wants_lists = false, fresh = true;
  read_again();
}

void ImportForm::save() {
  if (typed() != read_with) {
    opens = true;
    return read_again();
  }
  folder = run_folder_for(std::filesystem::path(source).filename().string());
  saving = std::async(std::launch::async, save_model_in, folder, read.model);
}

void ImportForm::close() {
  std::erase_if(left_, [](const auto& work) { return is_ready(work); });
  for (std::future<Read>* work : {&reading, &saving})
    if (work->valid()) left_.push_back(std::move(*work));
  read = {};
}

void ImportForm::read_again() {
  ImportOptions options;
  if (!heads.empty() && heads != assumed_heads) options.settings["heads"] = heads;
  options.source_vocabulary = source_vocabulary.empty() ? "" : expanded(source_vocabulary);
  options.target_vocabulary = target_vocabulary.empty() ? "" : expanded(target_vocabulary);
  read = {};
  read_with = typed();
  reading = std::async(std::launch::async, read_model, source, options);
}

bool import_dialog(ui::Ui& ui, ImportForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Open a model from elsewhere", {820, 620});
  const bool opened = take_work(ui, form);
  ImportDialog(ui, form, dialog.body).show();
  const DialogAnswer answer = dialog_answer(
      ui, dialog.body, "Open", {.enabled = form.read.model && !form.busy(), .id = "Open the import"});
  end_dialog(ui);
  if (answer == DialogAnswer::go) {
    form.save();
    ui.ask_frame(0);
  }
  const bool close = opened || answer == DialogAnswer::leave || dialog.closed;
  if (close) form.close();
  return close;
}

}  // namespace glassformer
