// Batches of ids for `trace`, and what it writes.
"use strict";
const fs = require("fs");

// Rows of ids as a matrix, filled up.
function packed(rows, filler = 0) {
  const longest = Math.max(...rows.map((row) => row.length));
  const ids = rows.flatMap((row) => [...row, ...Array(longest - row.length).fill(filler)]);
  return { ids, shape: [rows.length, longest] };
}

// safetensors of matrices of ids, and the floats of one.
function write(file, matrices) {
  let end = 0;
  const header = {}, data = [];
  for (const [name, { ids, shape }] of Object.entries(matrices)) {
    header[name] = { dtype: "I32", shape, data_offsets: [end, end += 4 * ids.length] };
    data.push(Buffer.from(Int32Array.from(ids).buffer));
  }
  const text = Buffer.from(JSON.stringify(header)), size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  fs.writeFileSync(file, Buffer.concat([size, text, ...data]));
}
function read(file) {
  const bytes = fs.readFileSync(file), start = 8 + Number(bytes.readBigUInt64LE());
  const header = JSON.parse(bytes.subarray(8, start).toString());
  return (name) => {
    const [from, to] = header[name].data_offsets;
    return { shape: header[name].shape, data: new Float32Array(bytes.buffer.slice(bytes.byteOffset + start + from, bytes.byteOffset + start + to)) };
  };
}

module.exports = { packed, write, read };
