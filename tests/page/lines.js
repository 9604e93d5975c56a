// node lines.js: sentences of signs that libraries read differently, a line each; none holds a line's end.
"use strict";
const lines = [];

// Every letter and mark that Unicode makes one sign of, and Korean syllables.
for (let code = 0xa0; code < 0x20000; ++code) {
  if (code >= 0xd800 && code < 0xe000) continue;
  const whole = String.fromCodePoint(code), parts = whole.normalize("NFD");
  if (parts !== whole && (code < 0xac00 || code > 0xd7a3 || code % 997 === 0)) lines.push(`o ${parts} x${parts}y`, `the ${whole}`);
}
// Every blank and sign that is not seen, in a word, beside one, and alone.
for (let code = 0; code < 0x10000; ++code) {
  const sign = String.fromCodePoint(code);
  if (/[\p{Z}\p{C}]/u.test(sign) && !/[\p{Cn}\p{Co}\p{Cs}\n\r\0]/u.test(sign))
    lines.push(`the${sign}girl ${sign} sees${sign}`, `${sign}a${sign}${sign}b`);
}
lines.push("<s> </s> <unk> <pad> <bos> <eos>", "a<unk>b <pad>", "<unk> ", "▁the ▁ a▁b", "▅ ⁇ � a�", "\u{10F581} \u{10F585}s> \u{10F03C}s>");
lines.push("##ing ## ### a##b ##", "####a #", "__proto__ constructor toString 1 10 2", "$& $1 $$ \\u0041 \\n %s", "{} [] ()");
lines.push("aaaaaaaa anana bananana nnnn eeee sesese lalala tototo", "........ ?!?!?! ''''''", "l'été n'aime pas l’élève qu'il");
lines.push("The Tired Girl", "THE TIRED GIRL SEES A RED CAR", "The tired girl sees a red car.", "THE", "É È ÎÏ ŒUVRE Straße ΟΔΟΣ İstanbul");
lines.push("ﬁn ½ ② ｆｕｌｌ ﾊﾝｶｸ", "👩‍👩‍👧 👍🏽 🇫🇷 x👍", "नमस्ते می‌خواهم שָׁלוֹם 日本語 한국어 ไทย", "e\u0323\u0302 e\u0302\u0323 q\u0301\u0302", "zorg blig drus fnord the");
lines.push("the ж cat жжж жthe catж ж", "1234567890 3.14 1,000", "a".repeat(40), "the ".repeat(80), "x".repeat(300), "-", " ", "");
process.stdout.write(lines.join("\n") + "\n");
