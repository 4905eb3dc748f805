(* The AD tool in OCaml: reverse mode on a tape, forward mode, and both of them nested by functors. *)

open Gradbench
module Real = Problems.Make (Numbers.Plain)
module Reverse = Numbers.Reverse (Numbers.Plain)
module Forward = Numbers.Forward (Numbers.Plain)
module In_reverse = Problems.Make (Reverse)
module In_forward = Problems.Make (Forward)
module Input = Problems.Input

let tool = create "ocaml"
let finish_vector = vector
let primal module_ name prepare evaluate finish = declare tool module_ name ~prepare ~evaluate ~finish

(* A function with one value and its gradient, which share the input. *)
let pair module_ primal_name derivative_name prepare parameters function_ in_reverse finish =
  primal module_ primal_name prepare (fun input -> function_ input (parameters input)) float;
  primal module_ derivative_name prepare
    (fun input -> (input, Reverse.gradient (in_reverse input) (parameters input)))
    (fun (input, gradient) -> finish input gradient)

let add_gradients () =
  let unchanged _ gradient = vector gradient in
  pair "hello" "square" "double"
    (fun json -> [| number json |])
    Fun.id
    (fun _ x -> Real.square x.(0))
    (fun _ x -> In_reverse.square x.(0))
    (fun _ gradient -> float gradient.(0));
  pair "lse" "primal" "gradient"
    (fun json ->
      let x = flat (member "x" json) in
      Problems.check (x <> [||]) "lse needs at least one number.";
      x)
    Fun.id
    (fun _ x -> Real.log_sum_exp x)
    (fun _ x -> In_reverse.log_sum_exp x)
    unchanged;
  pair "llsq" "primal" "gradient" Input.least_squares
    (fun input -> input.x)
    Real.least_squares In_reverse.least_squares unchanged;
  pair "det" "primal" "gradient" Input.matrix
    (fun input -> input.entries)
    (fun input -> Real.determinant input.ell)
    (fun input -> In_reverse.determinant input.ell)
    unchanged;
  pair "lstm" "objective" "jacobian" Input.network (fun input -> input.weights) Real.network In_reverse.network unchanged;
  pair "gmm" "objective" "jacobian" Input.mixture
    (fun input -> input.parameters)
    Real.mixture In_reverse.mixture
    (fun { d; k; _ } gradient ->
      let half = d * (d - 1) / 2 in
      `Assoc
        [
          ("alpha", vector (Array.sub gradient 0 k));
          ("mu", rows gradient k k d);
          ("q", rows gradient (k + (k * d)) k d);
          ("l", rows gradient (k + (2 * k * d)) k half);
        ])

let add_chain () =
  primal "ode" "primal" Input.chain (fun { rates; steps } -> Real.chain steps rates) vector;
  primal "ode" "gradient" Input.chain
    (fun { rates; steps } ->
      Reverse.gradient
        (fun x ->
          let values = In_reverse.chain steps x in
          values.(Array.length values - 1))
        rates)
    vector

(* Act on each point and its nearest centroid, of equally near ones the first. *)
let for_each_pair (input : Input.clustering) act =
  Array.iter
    (fun point ->
      let nearest = ref 0 and best = ref infinity in
      Array.iteri
        (fun j centroid ->
          let total = ref 0. in
          Array.iteri
            (fun a x ->
              let difference = x -. centroid.(a) in
              total := !total +. (difference *. difference))
            point;
          if !total < !best then begin
            best := !total;
            nearest := j
          end)
        input.centroids;
      act !nearest (Array.append input.centroids.(!nearest) point))
    input.points

module Twice = Numbers.Reverse (Forward)
module In_twice = Problems.Make (Twice)

let add_clustering () =
  primal "kmeans" "cost" Input.clustering
    (fun input ->
      let total = ref 0. in
      for_each_pair input (fun _ pair -> total := !total +. Real.squared_distance pair);
      !total)
    float;
  (* The Hessian of a distance by its centroid is diagonal, so its product with a vector of ones is the diagonal. *)
  primal "kmeans" "dir" Input.clustering
    (fun input ->
      let k = Array.length input.centroids and d = Array.length input.centroids.(0) in
      let gradient = Array.make_matrix k d 0. and diagonal = Array.make_matrix k d 0. in
      for_each_pair input (fun nearest pair ->
          let numbers = Array.mapi (fun i x -> Forward.along x (if i < d then 1. else 0.)) pair in
          let slopes = Twice.gradient In_twice.squared_distance ~count:d numbers in
          Array.iteri
            (fun a { Forward.value; slope } ->
              gradient.(nearest).(a) <- gradient.(nearest).(a) +. value;
              diagonal.(nearest).(a) <- diagonal.(nearest).(a) +. slope)
            slopes);
      Array.map2 (Array.map2 ( /. )) gradient diagonal)
    (fun table -> `List (Array.to_list (Array.map vector table)))

let add_bundle () =
  let parameters (input : Input.bundle) i =
    let n = Array.length input.cameras and m = Array.length input.places in
    Array.concat [ input.cameras.(i mod n); input.places.(i mod m); [| input.weights.(i) |] ]
  in
  let each (input : Input.bundle) function_ = Array.mapi (fun i feature -> function_ i feature) input.features in
  primal "ba" "objective" Input.bundle
    (fun input ->
      ( each input (fun i feature -> Real.reprojection feature (parameters input i)),
        Array.map Real.weight_error input.weights ))
    (fun (errors, weight_errors) ->
      let repeated = ("repeated", `Int (Array.length weight_errors)) in
      `Assoc
        [
          ("reproj_error", `Assoc [ ("elements", vector errors.(0)); repeated ]);
          ("w_err", `Assoc [ ("element", float weight_errors.(0)); repeated ]);
        ]);
  primal "ba" "jacobian" Input.bundle
    (fun input ->
      let n = Array.length input.cameras and m = Array.length input.places in
      let p = Array.length input.weights in
      let weight_column i = (11 * n) + (3 * m) + i in
      let cols = Array.make (31 * p) 0 and vals = Array.make (31 * p) 0. in
      let pointers = Array.init ((3 * p) + 1) (fun i -> if i <= 2 * p then 15 * i else (28 * p) + i) in
      for i = 0 to p - 1 do
        let _, block = Reverse.jacobian (In_reverse.reprojection input.features.(i)) (parameters input i) in
        let column a =
          if a < 11 then (11 * (i mod n)) + a else if a < 14 then (11 * n) + (3 * (i mod m)) + a - 11 else weight_column i
        in
        Array.iteri
          (fun row slopes ->
            Array.iteri
              (fun a slope ->
                let place = (30 * i) + (15 * row) + a in
                cols.(place) <- column a;
                vals.(place) <- slope)
              slopes)
          block;
        cols.((30 * p) + i) <- weight_column i;
        vals.((30 * p) + i) <-
          (Reverse.gradient (fun w -> In_reverse.weight_error w.(0)) [| input.weights.(i) |]).(0)
      done;
      (pointers, cols, vals))
    (fun (pointers, cols, vals) ->
      (* Of each list the first thirty entries and the last one. *)
      let told list = Array.append (Array.sub list 0 (min 30 (Array.length list))) [| list.(Array.length list - 1) |] in
      let whole list : json = `List (Array.to_list (Array.map (fun i -> `Int i) (told list))) in
      `Assoc [ ("rows", whole pointers); ("cols", whole cols); ("vals", vector (told vals)) ])

module Hand_real = Hand.Make (Numbers.Plain)
module Hand_forward = Hand.Make (Forward)

let add_hand () =
  primal "ht" "objective" Hand.read (fun hand -> Hand_real.errors hand hand.theta hand.shares) vector;
  (* Many errors of few numbers: number by number. A point depends on its own shares alone, so all can move at once. *)
  primal "ht" "jacobian" Hand.read
    (fun hand ->
      let of_shares = if hand.shares = [||] then 0 else 2 in
      let column i =
        let moves place is_share =
          if is_share then i < of_shares && place mod 2 = i else i - of_shares = place
        in
        let seeded is_share values =
          Array.mapi (fun place x -> Forward.along x (if moves place is_share then 1. else 0.)) values
        in
        Array.map
          (fun error -> error.Forward.slope)
          (Hand_forward.errors hand (seeded false hand.theta) (seeded true hand.shares))
      in
      Array.init (of_shares + Hand.theta_size) column)
    (fun columns ->
      `List
        (List.init
           (Array.length columns.(0))
           (fun row -> vector (Array.map (fun column -> column.(row)) columns))))

(* particle and saddle: the gradient within the function, in the mode [inner], for the kind of number of the outer one. *)
module Descents (Outer : Numbers.NUMBER) = struct
  module P = Problems.Make (Outer)
  module R = Numbers.Reverse (Outer)
  module F = Numbers.Forward (Outer)
  module In_r = Problems.Make (R)
  module In_f = Problems.Make (F)

  let force = function
    | 'r' -> R.gradient In_r.potential ~count:2
    | _ -> F.gradient In_f.potential ~count:2

  let slope = function
    | 'r' -> R.gradient In_r.negative_saddle ~count:2
    | _ -> F.gradient In_f.negative_saddle ~count:2

  let landing inner x = P.landing (force inner) x.(0)
  let highest inner start x = P.highest (slope inner) start x
end

module Descents_real = Descents (Numbers.Plain)
module Descents_reverse = Descents (Reverse)
module Descents_forward = Descents (Forward)

let add_descents () =
  let in_mode outer in_reverse in_forward =
    match outer with 'r' -> Reverse.gradient in_reverse | _ -> Forward.gradient in_forward
  in
  List.iter
    (fun modes ->
      let outer = modes.[0] and inner = modes.[1] in
      primal "particle" modes
        (fun json -> [| number (member "w" json) |])
        (Real.minimize (Descents_real.landing inner)
           (in_mode outer (Descents_reverse.landing inner) (Descents_forward.landing inner)))
        (fun w -> float w.(0));
      primal "saddle" modes
        (fun json ->
          let start = flat (member "start" json) in
          Problems.check (Array.length start = 2) "saddle needs a start of 2 numbers.";
          start)
        (fun start ->
          let x =
            Real.minimize
              (Descents_real.highest inner start)
              (in_mode outer (Descents_reverse.highest inner start) (Descents_forward.highest inner start))
              start
          in
          Array.append x (Descents_real.P.best_y (Descents_real.slope inner) start x))
        vector)
    [ "rr"; "ff"; "fr"; "rf" ]

let () =
  add_gradients ();
  add_chain ();
  add_clustering ();
  add_bundle ();
  add_hand ();
  add_descents ();
  run tool
