(* Numbers to compute with: plain ones, and those that carry derivatives of numbers of any of these kinds, so that they nest. *)

module type NUMBER = sig
  type t

  val constant : float -> t

  (* The value as a plain number, to decide by. *)
  val plain : t -> float
  val ( + ) : t -> t -> t
  val ( - ) : t -> t -> t
  val ( * ) : t -> t -> t
  val ( / ) : t -> t -> t
  val negative : t -> t

  (* The product with a constant. *)
  val scale : float -> t -> t
  val exp : t -> t
  val log : t -> t
  val sqrt : t -> t
  val sin : t -> t
  val cos : t -> t
  val tanh : t -> t
end

module Plain = struct
  type t = float

  let constant x = x
  let plain x = x
  let ( + ) = ( +. )
  let ( - ) = ( -. )
  let ( * ) = ( *. )
  let ( / ) = ( /. )
  let negative x = -.x
  let scale = ( *. )
  let exp = Stdlib.exp
  let log = Stdlib.log
  let sqrt = Stdlib.sqrt
  let sin = Stdlib.sin
  let cos = Stdlib.cos
  let tanh = Stdlib.tanh
end

(* Forward mode: a number and its derivative along one direction. *)
module Forward (N : NUMBER) = struct
  type t = { value : N.t; slope : N.t }

  let zero = N.constant 0.
  let one = N.constant 1.
  let lift value = { value; slope = zero }
  let along value slope = { value; slope }
  let constant x = lift (N.constant x)
  let plain x = N.plain x.value
  let ( + ) a b = N.{ value = a.value + b.value; slope = a.slope + b.slope }
  let ( - ) a b = N.{ value = a.value - b.value; slope = a.slope - b.slope }
  let ( * ) a b = N.{ value = a.value * b.value; slope = (a.slope * b.value) + (a.value * b.slope) }

  let ( / ) a b =
    let value = N.(a.value / b.value) in
    { value; slope = N.((a.slope - (value * b.slope)) / b.value) }

  let negative a = { value = N.negative a.value; slope = N.negative a.slope }
  let scale c a = { value = N.scale c a.value; slope = N.scale c a.slope }

  let exp a =
    let value = N.exp a.value in
    { value; slope = N.(a.slope * value) }

  let log a = { value = N.log a.value; slope = N.(a.slope / a.value) }

  let sqrt a =
    let value = N.sqrt a.value in
    { value; slope = N.(scale 0.5 a.slope / value) }

  let sin a = { value = N.sin a.value; slope = N.(a.slope * cos a.value) }
  let cos a = { value = N.cos a.value; slope = N.negative N.(a.slope * sin a.value) }

  let tanh a =
    let value = N.tanh a.value in
    { value; slope = N.(a.slope * (one - (value * value))) }

  (* The gradient by the first [count] of the numbers, one direction after the other. *)
  let gradient ?count f x =
    let count = Option.value count ~default:(Array.length x) in
    Array.init count (fun i -> (f (Array.mapi (fun j v -> if i = j then along v one else lift v) x)).slope)
end

(* Reverse mode: operations are recorded on a tape, which is read backwards. *)
module Reverse (N : NUMBER) = struct
  (* An operation has up to two arguments, whose partial derivatives are kept. Constants are not recorded. *)
  type t = {
    value : N.t;
    mutable adjoint : N.t;
    is_constant : bool;
    first : t option;
    by_first : N.t;
    second : t option;
    by_second : N.t;
  }

  let zero = N.constant 0.
  let one = N.constant 1.
  let minus_one = N.constant (-1.)

  let make value is_constant first by_first second by_second =
    { value; adjoint = zero; is_constant; first; by_first; second; by_second }

  let lift value = make value false None zero None zero
  let fixed value = make value true None zero None zero
  let constant x = fixed (N.constant x)

  (* The operations since the current call of [gradient] began. *)
  let nothing = lift zero
  let tape = ref (Array.make 1024 nothing)
  let used = ref 0

  let push number =
    if !used = Array.length !tape then begin
      let larger = Array.make (2 * !used) nothing in
      Array.blit !tape 0 larger 0 !used;
      tape := larger
    end;
    Array.unsafe_set !tape !used number;
    incr used;
    number

  let plain x = N.plain x.value

  let unary value a by =
    if a.is_constant then fixed value else push (make value false (Some a) by None zero)

  let binary value a by_a b by_b =
    if a.is_constant then unary value b by_b
    else if b.is_constant then unary value a by_a
    else push (make value false (Some a) by_a (Some b) by_b)

  let ( + ) a b = binary N.(a.value + b.value) a one b one
  let ( - ) a b = binary N.(a.value - b.value) a one b minus_one
  let ( * ) a b = binary N.(a.value * b.value) a b.value b a.value

  let ( / ) a b =
    let value = N.(a.value / b.value) in
    binary value a N.(one / b.value) b (N.negative N.(value / b.value))

  let negative a = unary (N.negative a.value) a minus_one
  let scale c a = unary (N.scale c a.value) a (N.constant c)

  let exp a =
    let value = N.exp a.value in
    unary value a value

  let log a = unary (N.log a.value) a N.(one / a.value)

  let sqrt a =
    let value = N.sqrt a.value in
    unary value a N.(constant 0.5 / value)

  let sin a = unary (N.sin a.value) a (N.cos a.value)
  let cos a = unary (N.cos a.value) a (N.negative (N.sin a.value))

  let tanh a =
    let value = N.tanh a.value in
    unary value a N.(one - (value * value))

  (* The Jacobian of a function of several values, row by row, and the values. *)
  let jacobian f x =
    let start = !used in
    (* A function may compute derivatives of its own with the same kind of number: only what is above [start] is ours. *)
    let finally () =
      Array.fill !tape start Stdlib.(!used - start) nothing;
      used := start
    in
    Fun.protect ~finally (fun () ->
        let inputs = Array.map lift x in
        let values = f inputs in
        let row value =
          for i = start to Stdlib.( - ) !used 1 do
            (Array.unsafe_get !tape i).adjoint <- zero
          done;
          Array.iter (fun input -> input.adjoint <- zero) inputs;
          if value.is_constant then Array.map (fun _ -> zero) inputs
          else begin
            value.adjoint <- one;
            for i = Stdlib.( - ) !used 1 downto start do
              let node = Array.unsafe_get !tape i in
              let pass argument by =
                match argument with
                | None -> ()
                | Some a -> a.adjoint <- N.(a.adjoint + (node.adjoint * by))
              in
              pass node.first node.by_first;
              pass node.second node.by_second
            done;
            Array.map (fun input -> input.adjoint) inputs
          end
        in
        let rows = Array.map row values in
        (Array.map (fun value -> value.value) values, rows))

  (* The gradient by the first [count] of the numbers. *)
  let gradient ?count f x =
    let _, rows = jacobian (fun numbers -> [| f numbers |]) x in
    match count with None -> rows.(0) | Some count -> Array.sub rows.(0) 0 count
end
