#include "engine/text/compose.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "engine/text/unicode.h"

namespace glassformer {
namespace {

// For each mark the letters that take it, each followed by the letter with its mark.
struct MarkedLetters {
  char32_t mark;
  std::u32string_view pairs;
};
// clang-format off
constexpr MarkedLetters kMarked[] = {
    {0x0300, U"AÀEÈIÌNǸOÒUÙWẀYỲaàeèiìnǹoòuùwẁyỳ\u00A8῭ÂẦÊỀÔỒÜǛâầêềôồüǜĂẰăằĒḔēḕŌṐōṑƠỜơờƯỪưừΑᾺΕῈΗῊΙῚΟῸΥ"
             U"ῪΩῺαὰεὲηὴιὶοὸυὺωὼϊῒϋῢЕЀИЍеѐиѝἀἂἁἃἈἊἉἋἐἒἑἓἘἚἙἛἠἢἡἣἨἪἩἫἰἲἱἳἸἺἹἻὀὂὁὃὈὊὉὋὐὒὑὓὙὛὠὢὡὣὨὪὩὫ᾿῍῾"
             U"῝"},
    {0x0301, U"AÁCĆEÉGǴIÍKḰLĹMḾNŃOÓPṔRŔSŚUÚWẂYÝZŹaácćeégǵiíkḱlĺmḿnńoópṕrŕsśuúwẃyýzź\u00A8\u0385ÂẤÅǺÆǼ"
             U"ÇḈÊẾÏḮÔỐÕṌØǾÜǗâấåǻæǽçḉêếïḯôốõṍøǿüǘĂẮăắĒḖēḗŌṒōṓŨṸũṹƠỚơớƯỨưứΑΆΕΈΗΉΙΊΟΌΥΎΩΏαάεέηήιίοόυύωώ"
             U"ϊΐϋΰϒϓГЃКЌгѓкќἀἄἁἅἈἌἉἍἐἔἑἕἘἜἙἝἠἤἡἥἨἬἩἭἰἴἱἵἸἼἹἽὀὄὁὅὈὌὉὍὐὔὑὕὙὝὠὤὡὥὨὬὩὭ᾿῎῾῞"},
    {0x0302, U"AÂCĈEÊGĜHĤIÎJĴOÔSŜUÛWŴYŶZẐaâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷzẑẠẬạậẸỆẹệỌỘọộ"},
    {0x0303, U"AÃEẼIĨNÑOÕUŨVṼYỸaãeẽiĩnñoõuũvṽyỹÂẪÊỄÔỖâẫêễôỗĂẴăẵƠỠơỡƯỮưữ"},
    {0x0304, U"AĀEĒGḠIĪOŌUŪYȲaāeēgḡiīoōuūyȳÄǞÆǢÕȬÖȪÜǕäǟæǣõȭöȫüǖǪǬǫǭȦǠȧǡȮȰȯȱΑᾹΙῙΥῩαᾱιῑυῡИӢУӮиӣуӯḶḸḷḹṚṜ"
             U"ṛṝ"},
    {0x0306, U"AĂEĔGĞIĬOŎUŬaăeĕgğiĭoŏuŭȨḜȩḝΑᾸΙῘΥῨαᾰιῐυῠАӐЕӖЖӁИЙУЎаӑеӗжӂийуўẠẶạặ"},
    {0x0307, U"AȦBḂCĊDḊEĖFḞGĠHḢIİMṀNṄOȮPṖRṘSṠTṪWẆXẊYẎZŻaȧbḃcċdḋeėfḟgġhḣmṁnṅoȯpṗrṙsṡtṫwẇxẋyẏzżŚṤśṥŠṦšṧ"
             U"ſẛṢṨṣṩ"},
    {0x0308, U"AÄEËHḦIÏOÖUÜWẄXẌYŸaäeëhḧiïoötẗuüwẅxẍyÿÕṎõṏŪṺūṻΙΪΥΫιϊυϋϒϔІЇАӒЕЁЖӜЗӞИӤОӦУӰЧӴЫӸЭӬаӓеёжӝзӟ"
             U"иӥоӧуӱчӵыӹэӭіїӘӚәӛӨӪөӫ"},
    {0x0309, U"AẢEẺIỈOỎUỦYỶaảeẻiỉoỏuủyỷÂẨÊỂÔỔâẩêểôổĂẲăẳƠỞơởƯỬưử"},
    {0x030A, U"AÅUŮaåuůwẘyẙ"},
    {0x030B, U"OŐUŰoőuűУӲуӳ"},
    {0x030C, U"AǍCČDĎEĚGǦHȞIǏKǨLĽNŇOǑRŘSŠTŤUǓZŽaǎcčdďeěgǧhȟiǐjǰkǩlľnňoǒrřsštťuǔzžÜǙüǚƷǮʒǯ"},
    {0x030F, U"AȀEȄIȈOȌRȐUȔaȁeȅiȉoȍrȑuȕѴѶѵѷ"},
    {0x0311, U"AȂEȆIȊOȎRȒUȖaȃeȇiȋoȏrȓuȗ"},
    {0x0313, U"ΑἈΕἘΗἨΙἸΟὈΩὨαἀεἐηἠιἰοὀρῤυὐωὠ"},
    {0x0314, U"ΑἉΕἙΗἩΙἹΟὉΡῬΥὙΩὩαἁεἑηἡιἱοὁρῥυὑωὡ"},
    {0x031B, U"OƠUƯoơuư"},
    {0x0323, U"AẠBḄDḌEẸHḤIỊKḲLḶMṂNṆOỌRṚSṢTṬUỤVṾWẈYỴZẒaạbḅdḍeẹhḥiịkḳlḷmṃnṇoọrṛsṣtṭuụvṿwẉyỵzẓƠỢơợƯỰưự"},
    {0x0324, U"UṲuṳ"},
    {0x0325, U"AḀaḁ"},
    {0x0326, U"SȘTȚsștț"},
    {0x0327, U"CÇDḐEȨGĢHḨKĶLĻNŅRŖSŞTŢcçdḑeȩgģhḩkķlļnņrŗsştţ"},
    {0x0328, U"AĄEĘIĮOǪUŲaąeęiįoǫuų"},
    {0x032D, U"DḒEḘLḼNṊTṰUṶdḓeḙlḽnṋtṱuṷ"},
    {0x032E, U"HḪhḫ"},
    {0x0330, U"EḚIḬUṴeḛiḭuṵ"},
    {0x0331, U"BḆDḎKḴLḺNṈRṞTṮZẔbḇdḏhẖkḵlḻnṉrṟtṯzẕ"},
    {0x0338, U"<\u226E=\u2260>\u226F\u2190\u219A\u2192\u219B\u2194\u21AE\u21D0\u21CD\u21D2\u21CF"
             U"\u21D4\u21CE\u2203\u2204\u2208\u2209\u220B\u220C\u2223\u2224\u2225\u2226\u223C\u2241"
             U"\u2243\u2244\u2245\u2247\u2248\u2249\u224D\u226D\u2261\u2262\u2264\u2270\u2265\u2271"
             U"\u2272\u2274\u2273\u2275\u2276\u2278\u2277\u2279\u227A\u2280\u227B\u2281\u227C\u22E0"
             U"\u227D\u22E1\u2282\u2284\u2283\u2285\u2286\u2288\u2287\u2289\u2291\u22E2\u2292\u22E3"
             U"\u22A2\u22AC\u22A8\u22AD\u22A9\u22AE\u22AB\u22AF\u22B2\u22EA\u22B3\u22EB\u22B4\u22EC"
             U"\u22B5\u22ED"},
    {0x0342, U"\u00A8῁αᾶηῆιῖυῦωῶϊῗϋῧἀἆἁἇἈἎἉἏἠἦἡἧἨἮἩἯἰἶἱἷἸἾἹἿὐὖὑὗὙὟὠὦὡὧὨὮὩὯ᾿῏῾῟"},
    {0x0345, U"ΑᾼΗῌΩῼάᾴήῄαᾳηῃωῳώῴἀᾀἁᾁἂᾂἃᾃἄᾄἅᾅἆᾆἇᾇἈᾈἉᾉἊᾊἋᾋἌᾌἍᾍἎᾎἏᾏἠᾐἡᾑἢᾒἣᾓἤᾔἥᾕἦᾖἧᾗἨᾘἩᾙἪᾚἫᾛἬᾜἭᾝἮᾞἯᾟὠᾠὡᾡ"
             U"ὢᾢὣᾣὤᾤὥᾥὦᾦὧᾧὨᾨὩᾩὪᾪὫᾫὬᾬὭᾭὮᾮὯᾯὰᾲὴῂὼῲᾶᾷῆῇῶῷ"},
    {0x0653, U"\u0627\u0622"},
    {0x0654, U"\u0627\u0623\u0648\u0624\u064A\u0626\u06C1\u06C2\u06D2\u06D3\u06D5\u06C0"},
    {0x0655, U"\u0627\u0625"},
    {0x093C, U"\u0928\u0929\u0930\u0931\u0933\u0934"},
    {0x09BE, U"\u09C7\u09CB"},
    {0x09D7, U"\u09C7\u09CC"},
    {0x0B3E, U"\u0B47\u0B4B"},
    {0x0B56, U"\u0B47\u0B48"},
    {0x0B57, U"\u0B47\u0B4C"},
    {0x0BBE, U"\u0BC6\u0BCA\u0BC7\u0BCB"},
    {0x0BD7, U"\u0B92\u0B94\u0BC6\u0BCC"},
    {0x0C56, U"\u0C46\u0C48"},
    {0x0CC2, U"\u0CC6\u0CCA"},
    {0x0CD5, U"\u0CBF\u0CC0\u0CC6\u0CC7\u0CCA\u0CCB"},
    {0x0CD6, U"\u0CC6\u0CC8"},
    {0x0D3E, U"\u0D46\u0D4A\u0D47\u0D4B"},
    {0x0D57, U"\u0D46\u0D4C"},
    {0x0DCA, U"\u0DD9\u0DDA\u0DDC\u0DDD"},
    {0x0DCF, U"\u0DD9\u0DDC"},
    {0x0DDF, U"\u0DD9\u0DDE"},
    {0x102E, U"\u1025\u1026"},
    {0x1B35, U"\u1B05\u1B06\u1B07\u1B08\u1B09\u1B0A\u1B0B\u1B0C\u1B0D\u1B0E\u1B11\u1B12\u1B3A\u1B3B"
             U"\u1B3C\u1B3D\u1B3E\u1B40\u1B3F\u1B41\u1B42\u1B43"},
    {0x3099, U"うゔかがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼゝゞウヴカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブヘベホボ"
             U"ワヷヰヸヱヹヲヺヽヾ"},
    {0x309A, U"はぱひぴふぷへぺほぽハパヒピフプヘペホポ"},
    {0x110BA, U"\U00011099\U0001109A\U0001109B\U0001109C\U000110A5\U000110AB"},
    {0x11127, U"\U00011131\U0001112E\U00011132\U0001112F"},
    {0x1133E, U"\U00011347\U0001134B"},
    {0x11357, U"\U00011347\U0001134C"},
    {0x114B0, U"\U000114B9\U000114BC"},
    {0x114BA, U"\U000114B9\U000114BB"},
    {0x114BD, U"\U000114B9\U000114BE"},
    {0x115AF, U"\U000115B8\U000115BA\U000115B9\U000115BB"},
    {0x11930, U"\U00011935\U00011938"},
};
// clang-format on

// Korean syllables are composed by arithmetic (Unicode standard, section 3.12).
constexpr char32_t kSyllables = 0xAC00, kLeads = 0x1100, kVowels = 0x1161, kTails = 0x11A7;
constexpr char32_t kLeadCount = 19, kVowelCount = 21, kTailCount = 28;

char32_t compose_korean(char32_t first, char32_t second) {
  if (first >= kLeads && first < kLeads + kLeadCount && second >= kVowels && second < kVowels + kVowelCount) {
    return kSyllables + ((first - kLeads) * kVowelCount + (second - kVowels)) * kTailCount;
  }
  const bool open = first >= kSyllables && first < kSyllables + kLeadCount * kVowelCount * kTailCount &&
                    (first - kSyllables) % kTailCount == 0;
  if (open && second > kTails && second < kTails + kTailCount) return first + (second - kTails);
  return 0;
}

}  // namespace

char32_t composed(char32_t letter, char32_t mark) {
  const auto* found = std::lower_bound(std::begin(kMarked), std::end(kMarked), mark,
                                       [](const MarkedLetters& row, char32_t m) { return row.mark < m; });
  if (found == std::end(kMarked) || found->mark != mark) return compose_korean(letter, mark);
  for (std::size_t i = 0; i + 1 < found->pairs.size(); i += 2) {
    if (found->pairs[i] == letter) return found->pairs[i + 1];
  }
  return 0;
}

std::string composed(std::string_view text) {
  const bool ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
  if (ascii) return std::string(text);
  std::vector<char32_t> result;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    const char32_t joined = result.empty() ? 0 : composed(result.back(), c);
    if (joined != 0) {
      result.back() = joined;
    } else {
      result.push_back(c);
    }
  }
  return to_utf8(result);
}

}  // namespace glassformer
