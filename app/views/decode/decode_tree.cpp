#include "app/views/decode/decode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace glassformer {

namespace {

struct ByPlace {
  bool operator()(BeamPlace a, BeamPlace b) const {
    return a.step != b.step ? a.step < b.step : a.node < b.node;
  }
};

class TreeLayout {
 public:
  TreeLayout(const BeamRecord& record, int winners, const std::vector<int>& greedy)
      : record_(record), winners_(std::min(winners, finite_finishes(record))) {
    if (winners_ > 0) mark_way(record.finished.front().place, &TreeNode::winner);
    for (int rank = winners_ - 1; rank >= 0; --rank)
      show(record.finished[static_cast<std::size_t>(rank)].place).finish = rank;
    show_greedy(greedy);
    show_likely();
  }

  DecodeTree laid_out() {
    order();
    if (!roots_.empty()) place_branch(roots_.front(), 0);
    for (std::size_t i = 1; i < roots_.size(); ++i) place_branch_below(roots_[i], 0);
    for (const auto& [place, drawn] : drawn_)
      if (drawn.lane >= 0) tree_.columns = std::max(tree_.columns, place.step + 1);
    collect();
    return std::move(tree_);
  }

 private:
  struct Drawn {
    TreeNode node;
    std::vector<BeamPlace> children;
    int best_finish = 1 << 20;
    int lane = -1;  // not placed: folded
  };

  // They are first.
  static int finite_finishes(const BeamRecord& record) {
    return static_cast<int>(std::ranges::count_if(
        record.finished, [](const BeamFinish& finish) { return std::isfinite(finish.score); }));
  }

  TreeNode& show(BeamPlace place) {
    for (std::optional<BeamPlace> at = place; at && !drawn_.contains(*at); at = record_.before(*at))
      drawn_[*at].node.place = *at;
    return drawn_[place].node;
  }

  void mark_way(BeamPlace place, bool TreeNode::*mark) {
    show(place);
    for (std::optional<BeamPlace> at = place; at; at = record_.before(*at)) drawn_[*at].node.*mark = true;
  }

  void show_greedy(std::vector<int> words) {
    while (!words.empty()) {
      if (const auto place = record_.find(words); place && std::isfinite(record_.at(*place).total))
        return mark_way(*place, &TreeNode::greedy);
      words.pop_back();
    }
  }

  // What lives and is not much worse than the best; of each step the best of those that were cut.
  void show_likely() {
    double ended = -std::numeric_limits<double>::infinity();  // the most probable that has finished
    for (int step = 0; step < static_cast<int>(record_.steps.size()); ++step) {
      const std::vector<BeamNode>& nodes = record_.steps[static_cast<std::size_t>(step)].considered;
      const double least = std::max(ended, nodes.front().total) + std::log(kFoldedShare);
      bool stub = false;
      for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
        const BeamNode& node = nodes[static_cast<std::size_t>(i)];
        if (!(node.total >= least)) break;
        const BeamPlace place{step, i};
        if (node.fate == BeamFate::finished) ended = std::max(ended, node.total);
        if (node.fate != BeamFate::cut) {
          show(place);
        } else if (!stub) {
          stub = true;
          show(place).stub = true;
        }
      }
    }
  }

  auto better() {
    return [this](BeamPlace a, BeamPlace b) {
      const Drawn &first = drawn_.at(a), &second = drawn_.at(b);
      if (first.best_finish != second.best_finish) return first.best_finish < second.best_finish;
      if (first.node.stub != second.node.stub) return second.node.stub;
      return ByPlace()(a, b);
    };
  }

  void order() {
    for (auto& [place, drawn] : drawn_) {
      if (const auto before = record_.before(place))
        drawn_[*before].children.push_back(place);
      else
        roots_.push_back(place);
      drawn.node.dies = record_.at(place).fate == BeamFate::kept && !is_continued(place);
    }
    for (int rank = winners_ - 1; rank >= 0; --rank)
      for (std::optional<BeamPlace> at = record_.finished[static_cast<std::size_t>(rank)].place; at;
           at = record_.before(*at))
        drawn_[*at].best_finish = rank;
    for (auto& [place, drawn] : drawn_) std::ranges::sort(drawn.children, better());
    std::ranges::sort(roots_, better());
  }

  // Whether the search kept anything behind it; at the last step all that lives does.
  bool is_continued(BeamPlace place) const {
    if (place.step + 1 >= static_cast<int>(record_.steps.size())) return true;
    return std::ranges::any_of(
        record_.steps[static_cast<std::size_t>(place.step) + 1].considered,
        [&](const BeamNode& node) { return node.parent == place.node && node.fate != BeamFate::cut; });
  }

  // The way that goes straight on from a node.
  std::vector<BeamPlace> chain_of(BeamPlace first) const {
    std::vector<BeamPlace> chain = {first};
    while (!drawn_.at(chain.back()).children.empty())
      chain.push_back(drawn_.at(chain.back()).children.front());
    return chain;
  }

  // In columns, with what is written behind the last node.
  std::pair<float, float> span_of(const std::vector<BeamPlace>& chain) const {
    const TreeNode& last = drawn_.at(chain.back()).node;
    const float note = last.stub ? 3.1f : last.finish ? 0.95f : last.dies ? 1.3f : 0.0f;
    return {static_cast<float>(chain.front().step) - 0.6f,
            static_cast<float>(chain.back().step) + 0.5f + note};
  }

  bool is_free(int lane, std::pair<float, float> span) const {
    const auto found = taken_.find(lane);
    if (found == taken_.end()) return true;
    return std::ranges::none_of(found->second, [&](const std::pair<float, float>& other) {
      return span.first < other.second && other.first < span.second;
    });
  }

  void place_branch_below(BeamPlace first, int lane) {
    const auto span = span_of(chain_of(first));
    int below = lane + 1;
    while (below < kMostLanes && !is_free(below, span)) ++below;
    if (below < kMostLanes) place_branch(first, below);
  }

  void place_branch(BeamPlace first, int lane) {
    const std::vector<BeamPlace> chain = chain_of(first);
    taken_[lane].push_back(span_of(chain));
    tree_.lanes = std::max(tree_.lanes, lane + 1);
    for (const BeamPlace place : chain) drawn_.at(place).lane = lane;
    // From the end on, so that no link crosses another branch of the same chain.
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
      const std::vector<BeamPlace>& children = drawn_.at(*at).children;
      for (std::size_t i = 1; i < children.size(); ++i) place_branch_below(children[i], lane);
    }
  }

  void collect() {
    std::map<BeamPlace, int, ByPlace> index;
    for (auto& [place, drawn] : drawn_) {
      if (drawn.lane < 0) continue;
      drawn.node.lane = drawn.lane;
      if (const auto before = record_.before(place)) drawn.node.parent = index.at(*before);
      index[place] = static_cast<int>(tree_.nodes.size());
      tree_.nodes.push_back(drawn.node);
    }
    for (int step = 0; step < tree_.columns; ++step) {
      int& folded = tree_.folded.emplace_back(0);
      const auto& nodes = record_.steps[static_cast<std::size_t>(step)].considered;
      for (int i = 0; i < static_cast<int>(nodes.size()); ++i)
        if (const BeamNode& node = nodes[static_cast<std::size_t>(i)];
            node.fate != BeamFate::cut && std::isfinite(node.total) && !index.contains({step, i}))
          ++folded;
    }
  }

  const BeamRecord& record_;
  int winners_;
  DecodeTree tree_;
  std::map<BeamPlace, Drawn, ByPlace> drawn_;
  std::vector<BeamPlace> roots_;
  std::map<int, std::vector<std::pair<float, float>>> taken_;  // of each lane, in columns
};

}  // namespace

std::optional<int> DecodeTree::find(BeamPlace place) const {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].place == place) return static_cast<int>(i);
  return std::nullopt;
}

DecodeTree lay_out_tree(const BeamRecord& record, int winners, const std::vector<int>& greedy) {
  if (record.steps.empty()) return {};
  return TreeLayout(record, winners, greedy).laid_out();
}

DecodeTree part_of_tree(const DecodeTree& tree, int around, int steps, int lanes) {
  DecodeTree part;
  part.columns = std::min(steps, tree.columns);
  const int middle = tree.nodes.empty() ? 0 : tree.nodes[static_cast<std::size_t>(around)].place.step;
  part.first = std::clamp(middle - part.columns / 2, 0, tree.columns - part.columns);
  const auto inside = [&](const TreeNode& node) {
    return node.place.step >= part.first && node.place.step < part.first + part.columns;
  };
  std::map<int, int> kept_lanes;  // those that have a node in these steps, one below the other
  for (const TreeNode& node : tree.nodes)
    if (inside(node)) kept_lanes[node.lane] = 0;
  int below = 0;
  for (auto& [lane, now] : kept_lanes) now = below++;
  // The last lane that has room is that of the node in the middle, where it would be below the room.
  const int middle_lane = tree.nodes.empty() ? 0 : tree.nodes[static_cast<std::size_t>(around)].lane;
  if (const auto found = kept_lanes.find(middle_lane); found != kept_lanes.end() && found->second >= lanes) {
    for (auto& [lane, now] : kept_lanes)
      if (now == lanes - 1) now = found->second;
    found->second = lanes - 1;
  }
  part.lanes = std::max(1, std::min(below, lanes));
  part.folded.assign(tree.folded.begin() + part.first, tree.folded.begin() + part.first + part.columns);
  std::vector<int> kept(tree.nodes.size(), -1);  // where each node went
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    TreeNode node = tree.nodes[i];
    if (!inside(node)) continue;
    node.lane = kept_lanes.at(node.lane);
    if (node.lane >= part.lanes) {
      if (!node.stub) ++part.folded[static_cast<std::size_t>(node.place.step - part.first)];
      continue;
    }
    if (node.parent >= 0) node.parent = kept[static_cast<std::size_t>(node.parent)];
    kept[i] = static_cast<int>(part.nodes.size());
    part.nodes.push_back(node);
  }
  return part;
}

}  // namespace glassformer
