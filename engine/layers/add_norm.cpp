#include "engine/layers/add_norm.h"

namespace glassformer {
namespace {

template <class Scalar, class T>
void record_norm(const LayerNorm<Scalar>& norm, const AddNormPart& part, AddNormSaved<Scalar>& saved,
                 const char* name, const Probe<T>& probe) {
  record_statistics(norm, saved.norm, part.first, part.rows, probe.inside(name));
  probe.rows(name, saved.norm.y.middleRows(part.first, part.rows));
}

}  // namespace

template <class Scalar>
void AddNormSaved<Scalar>::resize(bool pre_norm, int rows, int d, int chunks) {
  norm.resize(rows, d);
  make_room<Scalar>(norm.d_weight, chunks, d);
  make_room<Scalar>(norm.d_bias, chunks, d);
  make_room<Scalar>(sum, pre_norm ? rows : 0, d);
}

template <class Scalar, class T>
void before(const LayerNorm<Scalar>& norm, const AddNormPart& part, const ConstMatrixRef<Scalar>& x,
            AddNormSaved<Scalar>& saved, const char* name, const Probe<T>& probe) {
  if (!part.pre_norm) return;
  layer_norm_forward<Scalar>(norm, part.eps, x, part.first, saved.norm);
  record_norm(norm, part, saved, name, probe);
}

template <class Scalar, class T>
void after(const LayerNorm<Scalar>& norm, const AddNormPart& part, const ConstMatrixRef<Scalar>& x,
           AddNormSaved<Scalar>& saved, const AddNormNames& names, const Probe<T>& probe) {
  auto sum = branch(part.pre_norm, saved).middleRows(part.first, part.rows);  // (n, d)
  if (part.dropout.active()) {
    drop(sum.data(), static_cast<std::size_t>(sum.size()), static_cast<std::size_t>(part.first),
         part.dropout);
  }
  sum += x;
  probe.rows(names.sum, sum);
  if (part.pre_norm) return;
  layer_norm_forward<Scalar>(norm, part.eps, sum, part.first, saved.norm);
  record_norm(norm, part, saved, names.norm, probe);
}

template <class Scalar, class T>
void after_backward(const LayerNorm<Scalar>& norm, const AddNormPart& part, MatrixRef<Scalar> d,
                    AddNormSaved<Scalar>& saved, const AddNormNames& names, const Probe<T>& probe) {
  if (!part.pre_norm) {
    probe.rows(names.norm, d);
    layer_norm_backward<Scalar>(norm, d, part.first, part.chunk, saved.norm);
  }
  probe.rows(names.sum, d);
  auto d_branch = branch(part.pre_norm, saved).middleRows(part.first, part.rows);  // (n, d)
  d_branch = d;
  if (part.dropout.active()) {
    drop(d_branch.data(), static_cast<std::size_t>(d_branch.size()), static_cast<std::size_t>(part.first),
         part.dropout);
  }
}

template <class Scalar, class T>
void before_backward(const LayerNorm<Scalar>& norm, const AddNormPart& part, MatrixRef<Scalar> d_input,
                     AddNormSaved<Scalar>& saved, MatrixRef<Scalar> d, const char* name,
                     const Probe<T>& probe) {
  if (part.pre_norm) {
    probe.rows(name, d_input);
    layer_norm_backward<Scalar>(norm, d_input, part.first, part.chunk, saved.norm);
  }
  d += d_input;
}

#define GLASSFORMER_ADD_NORM(Scalar, T)                                                             \
  template void before(const LayerNorm<Scalar>&, const AddNormPart&, const ConstMatrixRef<Scalar>&, \
                       AddNormSaved<Scalar>&, const char*, const Probe<T>&);                        \
  template void after(const LayerNorm<Scalar>&, const AddNormPart&, const ConstMatrixRef<Scalar>&,  \
                      AddNormSaved<Scalar>&, const AddNormNames&, const Probe<T>&);                 \
  template void after_backward(const LayerNorm<Scalar>&, const AddNormPart&, MatrixRef<Scalar>,     \
                               AddNormSaved<Scalar>&, const AddNormNames&, const Probe<T>&);        \
  template void before_backward(const LayerNorm<Scalar>&, const AddNormPart&, MatrixRef<Scalar>,    \
                                AddNormSaved<Scalar>&, MatrixRef<Scalar>, const char*, const Probe<T>&);
template struct AddNormSaved<float>;
template struct AddNormSaved<double>;
GLASSFORMER_ADD_NORM(float, NoTap)
GLASSFORMER_ADD_NORM(float, Tap<float>)
GLASSFORMER_ADD_NORM(double, NoTap)
GLASSFORMER_ADD_NORM(double, Tap<double>)

}  // namespace glassformer
