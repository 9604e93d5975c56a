#!/bin/bash
# onnxruntime-web 1.23.2, 1.24.3, 1.30.0 (CPU, wasm): one and the same ONNX file (opset 23, Attention) with a query whose keys
# are all masked. By a bool mask it gives NaN, then the mean of V (padding leaks), then 0; by a float mask of -inf: NaN, NaN, 0;
# of the lowest float: mean, mean, 0; of -1e9: the mean in all. Seen in 1.23.2 | 1.24.3 | 1.30.0, row "bool":
# "NaN NaN" | "7 14" | "0 0". The opset is the same.
set -eu; here=$(mktemp -d); trap 'rm -rf "$here"' EXIT; cd "$here"
for v in 1.23.2 1.24.3 1.30.0; do npm install --silent --no-audit --no-fund --ignore-scripts --prefix "v$v" "onnxruntime-web@$v" >/dev/null; done
cat > run.js <<'JS'
const load = name => require(process.cwd() + '/v' + process.argv[2] + '/node_modules/' + name);
const ort = load('onnxruntime-web'), protobuf = load('protobufjs');
ort.env.wasm.numThreads = 1; ort.env.logLevel = 'error';
const { root } = protobuf.parse(`syntax = "proto3";
message Model { int64 ir_version = 1; Graph graph = 7; repeated Opset opset_import = 8; }
message Opset { string domain = 1; int64 version = 2; }
message Graph { repeated Node node = 1; string name = 2; repeated Value input = 11; repeated Value output = 12; }
message Node { repeated string input = 1; repeated string output = 2; string op_type = 4; repeated Attr attribute = 5; }
message Attr { string name = 1; float f = 2; int64 i = 3; int32 type = 20; }
message Value { string name = 1; Type type = 2; }
message Type { Tensor tensor_type = 1; }
message Tensor { int32 elem_type = 1; Shape shape = 2; } message Shape { repeated Dim dim = 1; } message Dim { int64 dim_value = 1; }`, { keepCase: true });
const value = (name, dims, type) => ({ name, type: { tensor_type: { elem_type: type === 'bool' ? 9 : 1,
  shape: { dim: dims.map(dim_value => ({ dim_value })) } } } });
async function attention(inputs, attribute) {   // opset 23; gives Y and the scores asked for
  const names = Object.keys(inputs), Model = root.lookupType('Model');
  const bytes = Model.encode(Model.fromObject({ ir_version: 10, opset_import: [{ version: 23 }], graph: { name: 'g',
    node: [{ op_type: 'Attention', input: names, output: ['Y', '', '', 'S'], attribute }],
    input: names.map(n => value(n, inputs[n].dims, inputs[n].type)),
    output: [value('Y', [1, 1, 1, 2]), value('S', [1, 1, 1, 3])] } })).finish();
  const session = await ort.InferenceSession.create(bytes);
  const out = await session.run(inputs);
  return ['Y', 'S'].map(n => [...out[n].data].map(x => String(+x.toPrecision(4))).join(' ')).join(' | ');
}
const f = (a, dims) => new ort.Tensor('float32', Float32Array.from(a), dims);
const b = (a, dims) => new ort.Tensor('bool', Uint8Array.from(a), dims);
const K = f([1, 0, 0, 1, 1, 1], [1, 1, 3, 2]), V = f([1, 2, 4, 8, 16, 32], [1, 1, 3, 2]);
(async () => {
  const q = f([1, 0], [1, 1, 1, 2]), mode = [{ name: 'qk_matmul_output_mode', i: 3, type: 2 }], v = process.argv[2];
  const masks = { bool: b([0, 0, 0], [1, 3]) };
  for (const [n, x] of [['-inf', -Infinity], ['lowest', -3.4028234663852886e38], ['-1e9', -1e9]]) masks[n] = f([x, x, x], [1, 3]);
  for (const n in masks) console.log(v, n + ':', await attention({ Q: q, K, V, M: masks[n] }, mode));
})();
JS
for v in 1.23.2 1.24.3 1.30.0; do node run.js "$v"; done > got; cat > want <<'END'
1.23.2 bool: NaN NaN | NaN NaN NaN
1.23.2 -inf: NaN NaN | NaN NaN NaN
1.23.2 lowest: 7 14 | 0.3333 0.3333 0.3333
1.23.2 -1e9: 7 14 | 0.3333 0.3333 0.3333
1.24.3 bool: 7 14 | 0.3333 0.3333 0.3333
1.24.3 -inf: NaN NaN | NaN NaN NaN
1.24.3 lowest: 7 14 | 0.3333 0.3333 0.3333
1.24.3 -1e9: 7 14 | 0.3333 0.3333 0.3333
1.30.0 bool: 0 0 | 0 0 0
1.30.0 -inf: 0 0 | 0 0 0
1.30.0 lowest: 0 0 | 0 0 0
1.30.0 -1e9: 7 14 | 0.3333 0.3333 0.3333
END
diff want got && cat got && echo "as found: 1 passed, 0 failed"
