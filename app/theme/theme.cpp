#include "app/theme/theme.h"

namespace glassformer {

Theme light_theme() {
  return {.dark = false,
          .paper = rgb(0xFAFAF8),
          .panel = rgb(0xFFFFFF),
          .sunken = rgb(0xF2F1ED),
          .hover = rgb(0xEFEEEA),
          .border = rgb(0xE3E2DE),
          .control = rgb(0x8A8881),
          .faint_text = rgb(0x656B73),
          .second_text = rgb(0x535961),
          .ink = rgb(0x1B1F24),
          .on_ink = rgb(0xFFFFFF),
          .query = rgb(0x0072B2),
          .query_tint = rgb(0xE4F0F7),
          .on_query = rgb(0xFFFFFF),
          .key = rgb(0xE69F00),
          .key_tint = rgb(0xFCF2DD),
          .on_key = rgb(0x1B1F24),
          .value = rgb(0x009E73),
          .value_tint = rgb(0xE1F3EC),
          .on_value = rgb(0x1B1F24),
          .reference = rgb(0x96417A),
          .wrong = rgb(0xB3401F),
          .wrong_tint = rgb(0xFBEBE5),
          .signed_middle = rgb(0xF7F7F7),
          .not_a_number = rgb(0xCC00AA)};
}

Theme dark_theme() {
  return {.dark = true,
          .paper = rgb(0x15171A),
          .panel = rgb(0x1B1E22),
          .sunken = rgb(0x111315),
          .hover = rgb(0x24282D),
          .border = rgb(0x2D3136),
          .control = rgb(0x6C727A),
          .faint_text = rgb(0x8F969E),
          .second_text = rgb(0xB0B5BC),
          .ink = rgb(0xECEBE7),
          .on_ink = rgb(0x15171A),
          .query = rgb(0x3B9EDB),
          .query_tint = rgb(0x16303F),
          .on_query = rgb(0x0E1114),
          .key = rgb(0xE69F00),
          .key_tint = rgb(0x3A2E12),
          .on_key = rgb(0x0E1114),
          .value = rgb(0x2DB88C),
          .value_tint = rgb(0x12362B),
          .on_value = rgb(0x0E1114),
          .reference = rgb(0xD48ABB),
          .wrong = rgb(0xF08A66),
          .wrong_tint = rgb(0x3B211A),
          .signed_middle = rgb(0x2A2E33),
          .not_a_number = rgb(0xCC00AA)};
}

}  // namespace glassformer
