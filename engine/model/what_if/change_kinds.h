// What a change is called, how it is written, whom it touches and when it does nothing: a row a kind. The
// strip, the map, the inspector, the command line and files of sessions and lessons ask these rows.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/what_if/what_if.h"

namespace glassformer {

template <class Scalar>
class Transformer;

// The words of the sentence that a change speaks of; what is empty or null is not known, and places are then
// written as numbers.
struct ChangeWords {
  std::vector<std::string> source;     // L_s, "<eos>" included
  std::vector<std::string> target_in;  // L_t, "<bos>" first: the decoder's rows
  std::function<std::vector<int>(const std::string&)> source_ids, target_ids;  // of words as typed
  std::function<std::string(int)> source_word, target_word;                    // of one id

  const std::vector<std::string>& rows_of(AttentionKind kind) const {
    return kind == AttentionKind::encoder ? source : target_in;
  }
  const std::vector<std::string>& keys_of(AttentionKind kind) const {
    return kind == AttentionKind::decoder ? target_in : source;
  }
};

// What a change must fit.
struct ChangeFit {
  const Transformer<float>& model;
  int source_length = 0, target_length = 0;  // tokens, "<eos>" and "<bos>" included; 0: not known yet
  int source_padding = 0;                    // of the source's tokens, those of padding at its end
};

class ChangeReader;

struct ChangeTraits {
  ChangeKind kind;
  std::string_view begins;                             // the words with which it begins: "mute head"
  void (*read)(ChangeReader& reader, Change& change);  // what follows them
  std::string (*write)(const Change& change, const ChangeWords& words);  // the same, behind a blank
  std::string (*chip)(const Change& change, const ChangeWords& words);   // on screen
  bool (*touches)(const Change& change, const ValueName& block);         // a block of the map, `whole`
  std::string (*misfit)(const Change& change, const ChangeFit& fit);     // empty: it fits
};

std::span<const ChangeTraits> change_kinds();
const ChangeTraits& traits_of(ChangeKind kind);

std::string chip_words(const Change& change, const ChangeWords& words);
// Whether a change reaches into a block: an attention, a feed-forward, an embedding or the output.
bool touches(const WhatIf& what_if, const ValueName& block);
// Why a change does nothing in this model or sentence, in one sentence; empty: it does something.
std::string misfit(const Change& change, const ChangeFit& fit);

}  // namespace glassformer
