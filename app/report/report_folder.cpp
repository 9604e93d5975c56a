#include "app/report/report_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/lessons/session_text.h"
#include "app/report/report_tables.h"
#include "engine/files/atomic_file.h"
#include "engine/files/owned_folder.h"
#include "engine/files/read_file.h"
#include "engine/files/replaced_folder.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPage = "index.html";
constexpr double kShareOfFigures = 0.9;

bool nothing_there(const std::string& folder) {
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(folder, failed);
  return !fs::exists(status) || (fs::is_directory(status) && fs::is_empty(folder, failed) && !failed);
}

// A new report, or none: what was written goes again unless it is kept.
class ReportFolder {
 public:
  explicit ReportFolder(const std::string& folder)
      : path_(folder), was_there_(fs::exists(folder)), folder_(folder) {}
  ~ReportFolder() {
    folder_ = OwnedFolder();
    if (kept_) return;
    try {
      delete_own(path_);
      if (was_there_) create_folder(path_);
    } catch (const std::exception&) {
      // It stays in part, known as the program's own.
    }
  }
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;

  // All names first: a kill leaves no file that is not known to be the program's.
  void add(const std::vector<std::string>& names) {
    folder_.claim(names);
    for (const std::string& name : names)
      if (const std::size_t slash = name.find('/'); slash != std::string::npos)
        create_folder(folder_.file(name.substr(0, slash)));
  }
  void write(const std::string& name, const std::string& bytes) {
    folder_.write_unless_changed(name, bytes);
    ++files_;
    bytes_ += static_cast<long long>(bytes.size());
  }
  const OwnedFolder& owned() const { return folder_; }
  WrittenReport keep() {
    kept_ = true;
    return {path_, files_, bytes_};
  }

 private:
  std::string path_;
  bool was_there_ = false, kept_ = false;
  OwnedFolder folder_;
  std::size_t files_ = 0;
  long long bytes_ = 0;
};

// The files that a model is made of; what a run keeps to resume stays behind.
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
  std::vector<std::string> names{kPage};  // known for a report from the beginning
  for (const std::string& file : files) names.push_back(name + "/" + file);
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
    if (!figure.html.empty()) files.emplace_back("figures/" + figure.name + ".html", figure.html);
  }
  if (report.runs) files.emplace_back(kReportRuns, report.runs->csv);
  if (report.latex) files.emplace_back("report.tex", report_latex(report));
  files.emplace_back("report.md", report_markdown(report));
  files.emplace_back(kPage, report_html(report));
  return files;
}

// "model", and "other" for the one that is compared.
void name_model(std::vector<SceneLine>& lines, const std::string& name, const std::string& folder) {
  for (SceneLine& line : lines) {
    if (name == "model" && line.keyword == "model") line.value = folder;
    if (name == "recurrent" && line.keyword == name) line.value = folder;
    if (name == "other" && line.keyword == "compare") line.value = "model " + folder;
  }
}

bool write_all(ReportFolder& folder, const ReportRequest& request, const std::vector<SceneLine>& lines,
               const ReportProgress& going_on) {
  if (going_on && !going_on(0)) return false;
  KeptSession kept;
  std::string model, recurrent;
  {
    LessonStage stage;
    kept = kept_session(stage, lines, request.view != nullptr);
    model = kept.page.model->folder;
    if (kept.page.recurrent) recurrent = kept.page.recurrent->folder;
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
  if (request.recurrent_copy || (request.with_model && !recurrent.empty()))
    take_along("recurrent", recurrent);
  const auto share = [&](double done) { return !going_on || going_on(kShareOfFigures * done); };
  const std::optional<Report> report = make_report(request, drawn, share);
  if (!report) return false;
  const Files files = files_of(*report, kept.lines);
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.first);
  folder.add(names);
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
        std::ranges::find(names, kPage) != names.end() && holds_only_own(folder) && all_as_written(folder);
    return report ? ReportPlace::report : ReportPlace::others;
  } catch (const Error&) {
    return ReportPlace::others;
  }
}

std::string free_report_folder(const std::string& wanted) {
  if (nothing_there(wanted)) return wanted;
  // "report-2" is followed by "report-3".
  constexpr std::size_t kMostDigits = 6;
  const std::size_t digits =
      wanted.size() - 1 - std::min(wanted.find_last_not_of("0123456789"), wanted.size() - 1);
  const bool counted = digits > 0 && digits <= kMostDigits && wanted[wanted.size() - digits - 1] == '-';
  const std::string name = counted ? wanted.substr(0, wanted.size() - digits - 1) : wanted;
  int number = counted ? std::stoi(wanted.substr(wanted.size() - digits)) + 1 : 2;
  std::string folder;
  do folder = name + "-" + std::to_string(number++);
  while (!nothing_there(folder));
  return folder;
}

std::optional<WrittenReport> write_report(const std::string& folder, const ReportRequest& request,
                                          const std::vector<SceneLine>& lines,
                                          const ReportProgress& going_on) {
  std::optional<WrittenReport> written;
  const auto fill = [&](const std::string& to) {
    ReportFolder report(to);
    if (write_all(report, request, lines, going_on)) written = report.keep();
    return written.has_value();
  };
  const auto check = [&](const std::string& place) {
    if (report_place(place) == ReportPlace::others)
      throw Error(folder,
                  "something else is kept there, or the report was changed since; choose a new folder");
  };
  check(folder);
  if (report_place(folder) == ReportPlace::free)
    fill(folder);
  else
    replace_folder(folder, {.check = check, .fill = fill});
  if (written) written->folder = folder;
  return written;
}

}  // namespace glassformer
