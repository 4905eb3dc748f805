(* The functions of the evals, for any kind of number. *)

open Numbers

let check condition text = if not condition then Gradbench.bad text

(* {1 Inputs} *)

module Input = struct
  open Gradbench

  let field name convert json = convert (member name json)

  type least_squares = { x : float array; points : float array }

  let least_squares json =
    let n = field "n" whole json in
    check (n >= 2) "llsq needs at least 2 points.";
    { x = field "x" flat json; points = Array.init n (fun i -> float_of_int ((2 * i) - (n - 1)) /. float_of_int (n - 1)) }

  type matrix = { entries : float array; ell : int }

  let matrix json =
    let entries = field "A" flat json and ell = field "ell" whole json in
    check (ell >= 1 && Array.length entries = ell * ell) "det needs ell * ell numbers and ell at least 1.";
    { entries; ell }

  type chain = { rates : float array; steps : int }

  let chain json =
    let rates = field "x" flat json and steps = field "s" whole json in
    check (rates <> [||] && steps >= 1) "ode needs at least one rate and one step.";
    { rates; steps }

  type mixture = {
    d : int;
    k : int;
    n : int;
    parameters : float array;
    data : float array;
    gamma : float;
    m : int;
    offset : float;  (** the part of the value that depends on the sizes only *)
  }

  let log_pi = log (4. *. atan 1.)

  (* The logarithm of the gamma function at half of a whole number. *)
  let rec log_gamma_of_half n =
    if n = 1 then 0.5 *. log_pi else if n = 2 then 0. else log (float_of_int (n - 2) /. 2.) +. log_gamma_of_half (n - 2)

  let mixture_offset d k n gamma m =
    let degrees = d + m + 1 and real = float_of_int in
    let log_gamma =
      List.fold_left
        (fun total j -> total +. log_gamma_of_half (degrees + 1 - j))
        (real (d * (d - 1)) /. 4. *. log_pi)
        (List.init d succ)
    in
    (real k *. ((real (degrees * d) *. (log gamma -. (0.5 *. log 2.))) -. log_gamma))
    -. (0.5 *. real (n * d) *. (log 2. +. log_pi))

  let mixture json =
    let d = field "d" whole json and k = field "k" whole json and n = field "n" whole json in
    let parameters = Array.concat (List.map (fun name -> field name flat json) [ "alpha"; "mu"; "q"; "l" ]) in
    let data = field "x" flat json in
    check
      (k > 0 && d > 0 && Array.length data = n * d && Array.length parameters = k * (1 + (2 * d) + (d * (d - 1) / 2)))
      "gmm's arrays do not have the sizes that d, k and n say.";
    let gamma = field "gamma" number json and m = field "m" whole json in
    { d; k; n; parameters; data; gamma; m; offset = mixture_offset d k n gamma m }

  type network = { layers : int; b : int; weights : float array; state : float array; sequence : float array array }

  let network json =
    let layers = List.length (field "main_params" items json) / 2 in
    let sequence = Array.of_list (List.map flat (field "sequence" items json)) in
    let weights = Array.append (field "main_params" flat json) (field "extra_params" flat json) in
    let state = field "state" flat json in
    let b = if sequence = [||] then 0 else Array.length sequence.(0) in
    check
      (layers > 0 && b > 0
      && Array.length sequence >= 2
      && Array.for_all (fun row -> Array.length row = b) sequence
      && Array.length weights = (8 * layers * b) + (3 * b)
      && Array.length state = 2 * layers * b)
      "lstm's tables do not have the sizes that belong together.";
    { layers; b; weights; state; sequence }

  type clustering = { points : float array array; centroids : float array array }

  let clustering json =
    let table name = Array.of_list (List.map flat (field name items json)) in
    let points = table "points" and centroids = table "centroids" in
    let d = if centroids = [||] then 0 else Array.length centroids.(0) in
    let fits row = Array.length row = d in
    check
      (d > 0 && points <> [||] && Array.for_all fits points && Array.for_all fits centroids)
      "kmeans needs points and centroids of the same dimension.";
    { points; centroids }

  (* The observations differ only in which camera and point they belong to, but no function makes use of it. *)
  type bundle = {
    cameras : float array array;
    places : float array array;
    weights : float array;
    features : float array array;
  }

  let bundle json =
    let n = field "n" whole json and m = field "m" whole json and p = field "p" whole json in
    let camera = field "cam" flat json and place = field "x" flat json and feature = field "feat" flat json in
    check
      (n > 0 && m > 0 && p > 0 && Array.length camera = 11 && Array.length place = 3 && Array.length feature = 2)
      "ba needs cameras of 11 numbers, points of 3 and features of 2, and some of each.";
    let copies count row = Array.init count (fun _ -> Array.copy row) in
    {
      cameras = copies n camera;
      places = copies m place;
      weights = Array.make p (field "w" number json);
      features = copies p feature;
    }
end

(* {1 Functions} *)

module Make (N : NUMBER) = struct
  open N

  let zero = constant 0.
  let one = constant 1.
  let square x = x * x
  let sum values = Array.fold_left ( + ) zero values

  let log_sum_exp values =
    let largest = Array.fold_left (fun found x -> if plain x > plain found then x else found) values.(0) values in
    (* Adding it and taking it away again leaves no derivative. *)
    let largest = constant (plain largest) in
    log (Array.fold_left (fun total x -> total + exp (x - largest)) zero values) + largest

  let least_squares (input : Input.least_squares) x =
    let residual t =
      let value = Array.fold_right (fun coefficient value -> scale t value + coefficient) x zero in
      let sign = if t > 0. then 1. else if t < 0. then -1. else 0. in
      square (constant sign - value)
    in
    scale 0.5 (Array.fold_left (fun total t -> total + residual t) zero input.points)

  (* By expansion along the first row. *)
  let determinant ell a =
    let rec minor row columns =
      match columns with
      | [ column ] -> a.(Stdlib.( + ) (Stdlib.( * ) row ell) column)
      | _ ->
          let expand (total, is_odd) column =
            let rest = minor (Stdlib.( + ) row 1) (List.filter (fun other -> other <> column) columns) in
            let product = a.(Stdlib.( + ) (Stdlib.( * ) row ell) column) * rest in
            ((if is_odd then total - product else total + product), not is_odd)
          in
          fst (List.fold_left expand (zero, false) columns)
    in
    minor 0 (List.init ell Fun.id)

  (* A chain of differential equations by Runge-Kutta steps. *)
  let chain steps x =
    let h = 2. /. float_of_int steps in
    let slope y = Array.mapi (fun i rate -> if i = 0 then rate else rate * y.(pred i)) x in
    let moved y step k = Array.map2 (fun y k -> y + scale step k) y k in
    let step y =
      let k1 = slope y in
      let k2 = slope (moved y (h /. 2.) k1) in
      let k3 = slope (moved y (h /. 2.) k2) in
      let k4 = slope (moved y h k3) in
      Array.mapi (fun i y -> y + scale (h /. 6.) (k1.(i) + scale 2. (k2.(i) + k3.(i)) + k4.(i))) y
    in
    let rec repeat count y = if count = 0 then y else repeat (pred count) (step y) in
    repeat steps (Array.map (fun _ -> zero) x)

  let mixture (input : Input.mixture) parameters =
    let { Input.d; k; n; data; gamma; m; offset; _ } = input in
    let open struct
      let ( ++ ) = Stdlib.( + )
      let ( ** ) = Stdlib.( * )
      let half = Stdlib.( / ) (d ** pred d) 2
    end in
    let mu j a = parameters.(k ++ (j ** d) ++ a) and q j a = parameters.(k ++ (k ** d) ++ (j ** d) ++ a) in
    let triangle = k ++ (2 ** k ** d) in
    let diagonal = Array.init (k ** d) (fun i -> exp parameters.(k ++ (k ** d) ++ i)) in
    let sums = Array.init k (fun j -> parameters.(j) + sum (Array.init d (q j))) in
    let term i j =
      let c = Array.init d (fun a -> constant data.((i ** d) ++ a) - mu j a) in
      let z = Array.mapi (fun a c -> diagonal.((j ** d) ++ a) * c) c in
      let entry = ref (triangle ++ (j ** half)) in
      for b = 0 to pred d do
        for a = succ b to pred d do
          z.(a) <- z.(a) + (parameters.(!entry) * c.(b));
          incr entry
        done
      done;
      sums.(j) - scale 0.5 (Array.fold_left (fun total z -> total + square z) zero z)
    in
    let total = ref zero in
    for i = 0 to pred n do
      total := !total + log_sum_exp (Array.init k (term i))
    done;
    let squares =
      Array.fold_left (fun total x -> total + square x) zero diagonal
      + Array.fold_left (fun total x -> total + square x) zero (Array.sub parameters triangle (k ** half))
    in
    let log_q = sum (Array.sub parameters (k ++ (k ** d)) (k ** d)) in
    let prior = scale (float_of_int m) log_q - scale (0.5 *. gamma *. gamma) squares in
    !total - scale (float_of_int n) (log_sum_exp (Array.sub parameters 0 k)) + prior + constant offset

  let network (input : Input.network) parameters =
    let { Input.layers; b; state; sequence; _ } = input in
    let open struct
      let ( ++ ) = Stdlib.( + )
      let ( ** ) = Stdlib.( * )
    end in
    let extra row i = parameters.((8 ** layers ** b) ++ (row ** b) ++ i) in
    let sigmoid z = one / (one + exp (negative z)) in
    let hidden = Array.init layers (fun l -> Array.init b (fun i -> constant state.((2 ** l ** b) ++ i))) in
    let cells = Array.init layers (fun l -> Array.init b (fun i -> constant state.((succ (2 ** l) ** b) ++ i))) in
    let advance l x =
      let weight block i = parameters.((8 ** l ** b) ++ (block ** b) ++ i) in
      let gate block i of_ = (of_ * weight block i) + weight (4 ++ block) i in
      let next =
        Array.init b (fun i ->
            let old = hidden.(l).(i) in
            let forget = sigmoid (gate 0 i x.(i)) and gain = sigmoid (gate 1 i old) in
            let out = sigmoid (gate 2 i x.(i)) and change = tanh (gate 3 i old) in
            cells.(l).(i) <- (cells.(l).(i) * forget) + (gain * change);
            out * tanh cells.(l).(i))
      in
      hidden.(l) <- next;
      next
    in
    let total = ref zero in
    let steps = pred (Array.length sequence) in
    for t = 0 to pred steps do
      let x = ref (Array.init b (fun i -> scale sequence.(t).(i) (extra 0 i))) in
      for l = 0 to pred layers do
        x := advance l !x
      done;
      let y = Array.mapi (fun i x -> (x * extra 1 i) + extra 2 i) !x in
      let norm = log (Array.fold_left (fun total y -> total + exp y) (constant 2.) y) in
      Array.iteri (fun i y -> total := !total + scale sequence.(succ t).(i) (y - norm)) y
    done;
    scale (-1. /. float_of_int (b ** steps)) !total

  (* Of the numbers of a centroid and then those of a point. *)
  let squared_distance x =
    let d = Stdlib.( / ) (Array.length x) 2 in
    sum (Array.init d (fun a -> square (x.(a) - x.(Stdlib.( + ) d a))))

  let cross a b i =
    let j = (Stdlib.( + ) i 1) mod 3 and k = (Stdlib.( + ) i 2) mod 3 in
    (a.(j) * b.(k)) - (a.(k) * b.(j))

  (* The two errors of an observation: of its camera, its point and its weight, in this order. *)
  let reprojection (feature : float array) x =
    let r = Array.sub x 0 3 in
    let y = Array.init 3 (fun i -> x.(Stdlib.( + ) 11 i) - x.(Stdlib.( + ) 3 i)) in
    let squared = sum (Array.map square r) in
    let z =
      if plain squared = 0. then Array.init 3 (fun i -> y.(i) + cross r y i)
      else
        let angle = sqrt squared in
        let sine = sin angle and cosine = cos angle in
        let axis = Array.map (fun r -> r / angle) r in
        let along = sum (Array.map2 ( * ) axis y) * (one - cosine) in
        Array.init 3 (fun i -> (y.(i) * cosine) + (cross axis y i * sine) + (axis.(i) * along))
    in
    let v0 = z.(0) / z.(2) and v1 = z.(1) / z.(2) in
    let s = square v0 + square v1 in
    let factor = x.(6) * (one + (s * (x.(9) + (s * x.(10))))) in
    let error v i = x.(14) * ((factor * v) + x.(Stdlib.( + ) 7 i) - constant feature.(i)) in
    [| error v0 0; error v1 1 |]

  let weight_error w = one - square w

  (* {2 Descents} *)

  let length vector = Stdlib.sqrt (Array.fold_left (fun total x -> total +. (plain x *. plain x)) 0. vector)

  (* Where the evals' descent from a start ends: at a short gradient or after a short step. It decides by values. *)
  let minimize value gradient start =
    let close = 1e-5 and steps_to_grow = 10 and most_trials = 100_000 in
    let rec search trial x best slope step successes =
      if trial = most_trials then Gradbench.bad "The descent did not end within 100000 trial steps.";
      let trial = succ trial in
      if length slope <= close then x
      else if successes = steps_to_grow then search trial x best slope (2. *. step) 0
      else
        let next = Array.map2 (fun x g -> x - scale step g) x slope in
        if length (Array.map2 ( - ) x next) <= close then x
        else
          let found = value next in
          if plain found < plain best then search trial next found (gradient next) step (succ successes)
          else search trial x best slope (step /. 2.) 0
    in
    search 0 start (value start) (gradient start) 1e-5 0

  (* At a place, the first two numbers; the third is the control, which moves a charge. *)
  let potential x =
    let inverse_distance above = one / sqrt (square (x.(0) - constant 10.) + square above) in
    inverse_distance (x.(1) - (constant 10. - x.(2))) + inverse_distance x.(1)

  (* The square of the place where the particle crosses y = 0. force: the gradient of the potential by the first two numbers. *)
  let landing force w =
    let dt = 0.1 and most_steps = 100_000 in
    let rec move step x y vx vy =
      if step = most_steps then Gradbench.bad "The particle has not landed after 100000 steps.";
      let push = force [| x; y; w |] in
      let x = x + scale dt vx and y = y + scale dt vy in
      if plain y <= 0. then square (x - (y / vy * vx))
      else move (succ step) x y (vx - scale dt push.(0)) (vy - scale dt push.(1))
    in
    move 0 zero (constant 8.) (constant 0.75) zero

  (* Of y and then x: minus the function whose saddle point is searched for. *)
  let negative_saddle v = square v.(0) + square v.(1) - (square v.(2) + square v.(3))

  (* slope: the gradient of [negative_saddle] by the first two numbers. *)
  let best_y slope start x =
    let both y = Array.append y x in
    minimize (fun y -> negative_saddle (both y)) (fun y -> slope (both y)) (Array.map constant start)

  let highest slope start x = negative (negative_saddle (Array.append (best_y slope start x) x))
end
