;; Products of rows of activations with a matrix of signed bytes, sixteen places at a time.
;; Assembled into matrix.wasm; a test assembles it anew and compares.
(module
  (memory (export "memory") 1)

  ;; out[r * n + j] = (sum over i of rows[r * k + i] * matrix[j * k + i] - offset[j])
  ;;   * row_scale[r] * scale[j] + bias[j], for r below count and j below n.
  ;; rows: 0 to 127, so that no pair of products exceeds 16 bits; matrix: -127 to 127; the others:
  ;; 32-bit floats. count: a multiple of 4; k: a multiple of 16. All sums stay below 2^24, where
  ;; floats are exact, for k up to 1024, and within one part in 2^24 above.
  (func (export "multiply")
    (param $rows i32) (param $matrix i32) (param $out i32) (param $count i32) (param $n i32)
    (param $k i32) (param $row_scale i32) (param $scale i32) (param $offset i32) (param $bias i32)
    (local $j i32) (local $r i32) (local $i i32) (local $a0 i32) (local $a1 i32) (local $a2 i32)
    (local $a3 i32) (local $at i32) (local $w v128) (local $s0 v128) (local $s1 v128)
    (local $s2 v128) (local $s3 v128) (local $sums v128) (local $stride i32)
    (local.set $stride (i32.shl (local.get $n) (i32.const 2)))
    (loop $each_column
      (local.set $r (i32.const 0))
      (local.set $a0 (local.get $rows))
      (local.set $at (i32.add (local.get $out) (i32.shl (local.get $j) (i32.const 2))))
      (loop $each_four_rows
        (local.set $a1 (i32.add (local.get $a0) (local.get $k)))
        (local.set $a2 (i32.add (local.get $a1) (local.get $k)))
        (local.set $a3 (i32.add (local.get $a2) (local.get $k)))
        (local.set $s0 (v128.const i32x4 0 0 0 0))
        (local.set $s1 (v128.const i32x4 0 0 0 0))
        (local.set $s2 (v128.const i32x4 0 0 0 0))
        (local.set $s3 (v128.const i32x4 0 0 0 0))
        (local.set $i (i32.const 0))
        (loop $each_sixteen
          (local.set $w (v128.load (i32.add (local.get $matrix) (local.get $i))))
          (local.set $s0 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w)
            (v128.load (i32.add (local.get $a0) (local.get $i))) (local.get $s0)))
          (local.set $s1 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w)
            (v128.load (i32.add (local.get $a1) (local.get $i))) (local.get $s1)))
          (local.set $s2 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w)
            (v128.load (i32.add (local.get $a2) (local.get $i))) (local.get $s2)))
          (local.set $s3 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w)
            (v128.load (i32.add (local.get $a3) (local.get $i))) (local.get $s3)))
          (local.set $i (i32.add (local.get $i) (i32.const 16)))
          (br_if $each_sixteen (i32.lt_u (local.get $i) (local.get $k))))
        ;; The four sums of each row are added across: first pairs of rows, then all four.
        (local.set $s0 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $s0) (local.get $s1))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
            (local.get $s0) (local.get $s1))))
        (local.set $s2 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $s2) (local.get $s3))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
            (local.get $s2) (local.get $s3))))
        (local.set $sums (i32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $s0) (local.get $s2))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $s0) (local.get $s2))))
        (local.set $sums
          (f32x4.add
            (f32x4.mul
              (f32x4.sub (f32x4.convert_i32x4_s (local.get $sums))
                (v128.load32_splat (local.get $offset)))
              (f32x4.mul
                (v128.load (i32.add (local.get $row_scale) (i32.shl (local.get $r) (i32.const 2))))
                (v128.load32_splat (local.get $scale))))
            (v128.load32_splat (local.get $bias))))
        (f32.store (local.get $at) (f32x4.extract_lane 0 (local.get $sums)))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (f32.store (local.get $at) (f32x4.extract_lane 1 (local.get $sums)))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (f32.store (local.get $at) (f32x4.extract_lane 2 (local.get $sums)))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (f32.store (local.get $at) (f32x4.extract_lane 3 (local.get $sums)))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (local.set $a0 (i32.add (local.get $a3) (local.get $k)))
        (local.set $r (i32.add (local.get $r) (i32.const 4)))
        (br_if $each_four_rows (i32.lt_u (local.get $r) (local.get $count))))
      (local.set $matrix (i32.add (local.get $matrix) (local.get $k)))
      (local.set $scale (i32.add (local.get $scale) (i32.const 4)))
      (local.set $offset (i32.add (local.get $offset) (i32.const 4)))
      (local.set $bias (i32.add (local.get $bias) (i32.const 4)))
      (local.set $j (i32.add (local.get $j) (i32.const 1)))
      (br_if $each_column (i32.lt_u (local.get $j) (local.get $n))))))
