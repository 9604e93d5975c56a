#include "app/report/report_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/lessons/session_text.h"
#include "app/report/report_pages.h"
#include "engine/files/atomic_file.h"
#include "engine/files/owned_folder.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPage = "index.html";
constexpr long kLongestPage = 256L << 20;
constexpr double kShareOfFigures = 0.9;

// Pages that people may write into end in a line that tells whether they did.
struct Marked {
  const char *name, *open, *close;
};
constexpr std::array kMarked{Marked{"index.html", "<!-- glassformer report ", " -->\n"},
                             Marked{"report.md", "\n<!-- glassformer report ", " -->\n"},
                             Marked{"report.tex", "% glassformer report ", "\n"}};

std::string with_mark(const Marked& marked, const std::string& text) {
  return text + marked.open + hash_digits(text_hash(text)) + marked.close;
}

bool as_it_was_written(const std::string& folder, const Marked& marked) {
  const std::string file = folder + "/" + marked.name;
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(file, ignored))) return true;
  const std::string text = read_file(file, kLongestPage);
  const std::size_t at = text.rfind(marked.open);
  return at != std::string::npos && with_mark(marked, text.substr(0, at)) == text;
}

bool nothing_there(const std::string& folder) {
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(folder, failed);
  return !fs::exists(status) || (fs::is_directory(status) && fs::is_empty(folder, failed) && !failed);
}

class ReportFolder {
 public:
  explicit ReportFolder(const std::string& folder) : path_(folder), was_there_(fs::exists(folder)) {
    if (report_place(folder) == ReportPlace::others)
      throw Error(folder,
                  "something else stands there, or the report was changed since; choose a new folder");
    folder_ = OwnedFolder(folder);
  }

  // All names first: a kill leaves no file that is not known to be the program's.
  void begin(std::vector<std::string> names) {
    begun_ = true;
    names.emplace_back(kPage);  // known for a report from the beginning
    std::vector<std::string> old(folder_.names().begin(), folder_.names().end());
    std::erase_if(old, [&](const std::string& name) { return name.starts_with("model/"); });
    folder_.remove({kPage});
    folder_.remove(old);
    add(names);
  }
  void add(const std::vector<std::string>& names) {
    folder_.claim(names);
    for (const std::string& name : names)
      if (const std::size_t slash = name.find('/'); slash != std::string::npos)
        create_folder(folder_.file(name.substr(0, slash)));
  }
  void write(const std::string& name, const std::string& bytes) {
    folder_.write(name, bytes);
    ++files_;
    bytes_ += static_cast<long long>(bytes.size());
  }
  void forget(const std::vector<std::string>& names) { folder_.remove(names); }
  bool begun() const { return begun_; }
  const OwnedFolder& owned() const { return folder_; }

  // What was written goes again.
  void discard() {
    folder_ = OwnedFolder();
    if (!begun_) return;
    delete_own(path_);
    if (was_there_) create_folder(path_);
  }
  WrittenReport written() const { return {path_, files_, bytes_}; }

 private:
  std::string path_;
  bool was_there_ = false, begun_ = false;
  OwnedFolder folder_;
  std::size_t files_ = 0;
  long long bytes_ = 0;
};

// The files that a model is made of; what a run keeps to go on with stays behind.
constexpr std::array kModelFiles{"config.json",  "weights.safetensors", "training.json", "tokenizer.json",
                                 "shared.model", "shared.vocab",        "source.model",  "source.vocab",
                                 "target.model", "target.vocab"};

std::vector<std::string> model_files(const std::string& from) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const char* name : kModelFiles)
    if (fs::exists(from + "/" + name, ignored)) names.emplace_back(name);
  return names;
}

// Into `name`, a folder of the report.
void copy_model(ReportFolder& report, const std::string& name, const std::string& from) {
  const std::vector<std::string> files = model_files(from);
  std::vector<std::string> names, old;
  for (const std::string& file : files) names.push_back(name + "/" + file);
  for (const std::string& each : report.owned().names())
    if (each.starts_with(name + "/") && std::ranges::find(names, each) == names.end()) old.push_back(each);
  if (!report.begun()) report.begin({});
  report.forget(old);
  report.add(names);
  for (const std::string& file : files) report.write(name + "/" + file, read_file(from + "/" + file));
}

// Their names, and their bytes.
using Files = std::vector<std::pair<std::string, std::string>>;

Files files_of(const Report& report, const std::vector<SceneLine>& session) {
  Files files{{kReportSession, session_file(session)}};
  for (const ReportFigure& figure : report.figures) {
    files.emplace_back("figures/" + figure.name + ".svg", figure.svg);
    files.emplace_back("figures/" + figure.name + ".png", figure.png);
    if (report.latex) files.emplace_back("figures/" + figure.name + ".pdf", figure.pdf);
    files.emplace_back("figures/" + figure.name + ".caption.txt", figure.caption);
    files.emplace_back("numbers/" + figure.name + ".csv", figure.csv);
  }
  if (report.latex) files.emplace_back("report.tex", with_mark(kMarked[2], report_latex(report)));
  files.emplace_back("report.md", with_mark(kMarked[1], report_markdown(report)));
  files.emplace_back(kPage, with_mark(kMarked[0], report_html(report)));
  return files;
}

// "model", and "other" for the one that is compared.
void name_model(std::vector<SceneLine>& lines, const std::string& name, const std::string& folder) {
  for (SceneLine& line : lines) {
    if (name == "model" && line.keyword == "model") line.value = folder;
    if (name == "other" && line.keyword == "compare") line.value = "model " + folder;
  }
}

bool write_all(ReportFolder& folder, const ReportRequest& request, const std::vector<SceneLine>& lines,
               const ReportProgress& going_on) {
  if (going_on && !going_on(0)) return false;
  KeptSession kept;
  std::string model;
  {
    LessonStage stage;
    kept = kept_session(stage, lines, request.view != nullptr);
    model = kept.page.model->folder;
    kept.page = {};
  }
  std::vector<SceneLine> drawn = kept.lines;
  const auto take_along = [&](const std::string& name, const std::string& from) {
    copy_model(folder, name, from);
    name_model(kept.lines, name, "./" + name);
    name_model(drawn, name, fs::absolute(folder.owned().file(name)).lexically_normal().string());
  };
  if (request.with_model) {
    if (find_line(lines, "step"))
      throw Error("report",
                  "an earlier step is shown, and those are kept with the model alone: leave the weights out");
    take_along("model", model);
  }
  if (request.other_copy) take_along("other", *request.other_copy);
  const auto share = [&](double done) { return !going_on || going_on(kShareOfFigures * done); };
  const std::optional<Report> report = make_report(request, drawn, share);
  if (!report) return false;
  const Files files = files_of(*report, kept.lines);
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.first);
  if (folder.begun())
    folder.add(names);
  else
    folder.begin(names);
  if (!request.with_model) {
    std::vector<std::string> old;
    for (const std::string& name : folder.owned().names())
      if (name.starts_with("model/")) old.push_back(name);
    folder.forget(old);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const double done = static_cast<double>(i) / static_cast<double>(files.size());
    if (going_on && !going_on(kShareOfFigures + (1 - kShareOfFigures) * done)) return false;
    folder.write(files[i].first, files[i].second);
  }
  return true;
}

}  // namespace

ReportPlace report_place(const std::string& folder) {
  if (nothing_there(folder)) return ReportPlace::free;
  std::error_code ignored;
  try {
    if (!fs::is_directory(fs::symlink_status(folder, ignored)) || !has_list(folder))
      return ReportPlace::others;
    const std::vector<std::string> names = recorded_names(folder);
    const bool report =
        std::ranges::find(names, kPage) != names.end() && holds_only_own(folder) &&
        std::ranges::all_of(kMarked, [&](const Marked& each) { return as_it_was_written(folder, each); });
    return report ? ReportPlace::report : ReportPlace::others;
  } catch (const Error&) {
    return ReportPlace::others;
  }
}

std::string free_report_folder(const std::string& wanted) {
  std::string folder = wanted;
  for (int number = 2; !nothing_there(folder); ++number) folder = wanted + "-" + std::to_string(number);
  return folder;
}

std::optional<WrittenReport> write_report(const std::string& folder, const ReportRequest& request,
                                          const std::vector<SceneLine>& lines,
                                          const ReportProgress& going_on) {
  ReportFolder report(folder);
  bool done = false;
  try {
    done = write_all(report, request, lines, going_on);
  } catch (...) {
    report.discard();
    throw;
  }
  if (done) return report.written();
  report.discard();
  return std::nullopt;
}

}  // namespace glassformer
