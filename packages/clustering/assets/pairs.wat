;; Dot products of every row of one block with every row of another, two rows by four at a time, so
;; that each loaded value serves several products. Assembled into pairs.wasm; a test compares.
(module
  (memory (export "memory") 1)

  ;; out[i * count + j] = the sum over k of a[i * stride + k] * b[j * stride + k], for i and j below
  ;; count. a, b: signed 16 bit; stride: in bytes, a multiple of 16; count: a multiple of 4; out:
  ;; 32-bit floats. No sum can overflow where the rows' lengths are at most 32767.
  (func (export "pairs")
    (param $a i32) (param $b i32) (param $out i32) (param $count i32) (param $stride i32)
    (local $a_end i32) (local $b_row i32) (local $b_end i32) (local $k i32)
    (local $out_row i32) (local $at i32)
    (local $p0 i32) (local $x0 v128)
    (local $p1 i32) (local $x1 v128)
    (local $q0 i32) (local $y0 v128)
    (local $q1 i32) (local $y1 v128)
    (local $q2 i32) (local $y2 v128)
    (local $q3 i32) (local $y3 v128)
    (local $s00 v128) (local $s01 v128) (local $s02 v128) (local $s03 v128)
    (local $s10 v128) (local $s11 v128) (local $s12 v128) (local $s13 v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $a_end (i32.add (local.get $a) (i32.mul (local.get $count) (local.get $stride))))
    (local.set $b_end (i32.add (local.get $b) (i32.mul (local.get $count) (local.get $stride))))
    (local.set $out_row (local.get $out))
    (loop $each_two
      (local.set $b_row (local.get $b))
      (local.set $at (local.get $out_row))
      (loop $each_four
        (local.set $p0 (local.get $a))
        (local.set $p1 (i32.add (local.get $p0) (local.get $stride)))
        (local.set $q0 (local.get $b_row))
        (local.set $q1 (i32.add (local.get $q0) (local.get $stride)))
        (local.set $q2 (i32.add (local.get $q1) (local.get $stride)))
        (local.set $q3 (i32.add (local.get $q2) (local.get $stride)))
        (local.set $s00 (v128.const i32x4 0 0 0 0))
        (local.set $s01 (v128.const i32x4 0 0 0 0))
        (local.set $s02 (v128.const i32x4 0 0 0 0))
        (local.set $s03 (v128.const i32x4 0 0 0 0))
        (local.set $s10 (v128.const i32x4 0 0 0 0))
        (local.set $s11 (v128.const i32x4 0 0 0 0))
        (local.set $s12 (v128.const i32x4 0 0 0 0))
        (local.set $s13 (v128.const i32x4 0 0 0 0))
        (local.set $k (local.get $stride))
        (loop $each_eight
          (local.set $x0 (v128.load (local.get $p0)))
          (local.set $x1 (v128.load (local.get $p1)))
          (local.set $y0 (v128.load (local.get $q0)))
          (local.set $y1 (v128.load (local.get $q1)))
          (local.set $y2 (v128.load (local.get $q2)))
          (local.set $y3 (v128.load (local.get $q3)))
          (local.set $s00
            (i32x4.add
              (local.get $s00)
              (i32x4.dot_i16x8_s (local.get $x0) (local.get $y0))))
          (local.set $s01
            (i32x4.add
              (local.get $s01)
              (i32x4.dot_i16x8_s (local.get $x0) (local.get $y1))))
          (local.set $s02
            (i32x4.add
              (local.get $s02)
              (i32x4.dot_i16x8_s (local.get $x0) (local.get $y2))))
          (local.set $s03
            (i32x4.add
              (local.get $s03)
              (i32x4.dot_i16x8_s (local.get $x0) (local.get $y3))))
          (local.set $s10
            (i32x4.add
              (local.get $s10)
              (i32x4.dot_i16x8_s (local.get $x1) (local.get $y0))))
          (local.set $s11
            (i32x4.add
              (local.get $s11)
              (i32x4.dot_i16x8_s (local.get $x1) (local.get $y1))))
          (local.set $s12
            (i32x4.add
              (local.get $s12)
              (i32x4.dot_i16x8_s (local.get $x1) (local.get $y2))))
          (local.set $s13
            (i32x4.add
              (local.get $s13)
              (i32x4.dot_i16x8_s (local.get $x1) (local.get $y3))))
          (local.set $p0 (i32.add (local.get $p0) (i32.const 16)))
          (local.set $p1 (i32.add (local.get $p1) (i32.const 16)))
          (local.set $q0 (i32.add (local.get $q0) (i32.const 16)))
          (local.set $q1 (i32.add (local.get $q1) (i32.const 16)))
          (local.set $q2 (i32.add (local.get $q2) (i32.const 16)))
          (local.set $q3 (i32.add (local.get $q3) (i32.const 16)))
          (local.set $k (i32.sub (local.get $k) (i32.const 16)))
          (br_if $each_eight (local.get $k)))
        (f32.store (local.get $at) (call $sum (local.get $s00)))
        (f32.store offset=4 (local.get $at) (call $sum (local.get $s01)))
        (f32.store offset=8 (local.get $at) (call $sum (local.get $s02)))
        (f32.store offset=12 (local.get $at) (call $sum (local.get $s03)))
        (f32.store (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))) (call $sum (local.get $s10)))
        (f32.store offset=4 (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))) (call $sum (local.get $s11)))
        (f32.store offset=8 (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))) (call $sum (local.get $s12)))
        (f32.store offset=12 (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))) (call $sum (local.get $s13)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $b_row (i32.add (local.get $b_row) (i32.shl (local.get $stride) (i32.const 2))))
        (br_if $each_four (i32.lt_u (local.get $b_row) (local.get $b_end))))
      (local.set $out_row (i32.add (local.get $out_row) (i32.shl (local.get $count) (i32.const 3))))
      (local.set $a (i32.add (local.get $a) (i32.shl (local.get $stride) (i32.const 1))))
      (br_if $each_two (i32.lt_u (local.get $a) (local.get $a_end)))))

  (func $sum (param $lanes v128) (result f32)
    (f32.convert_i32_s
      (i32.add
        (i32.add
          (i32x4.extract_lane 0 (local.get $lanes))
          (i32x4.extract_lane 1 (local.get $lanes)))
        (i32.add
          (i32x4.extract_lane 2 (local.get $lanes))
          (i32x4.extract_lane 3 (local.get $lanes)))))))
