(* ht for any kind of number: errors of points on a posed hand. *)

open Numbers

type t = {
  theta : float array;
  shares : float array;  (** two for each point, or none *)
  parents : int array;
  relatives : float array;
  inverses : float array;
  positions : float array;
  weights : (int * float) list array;  (** of each vertex the bones that move it *)
  corners : int array;  (** the vertex of each point, or the three of its triangle *)
  points : float array;
  is_mirrored : bool;
}

let theta_size = 26
let fingers = 5

let read json =
  let open Gradbench in
  let data = member "data" json in
  let model = member "model" data in
  let list name = Array.of_list (items (member name model)) in
  let theta = flat (member "theta" json) and shares = flat (member "us" json) in
  let parents = Array.map whole (list "parents") in
  let bones = Array.length parents in
  let relatives = flat (member "base_relatives" model) and inverses = flat (member "inverse_base_absolutes" model) in
  let positions = flat (member "base_positions" model) and points = flat (member "points" data) in
  let correspondences = Array.of_list (items (member "correspondences" data)) in
  let num_points = Array.length correspondences and vertices = Array.length positions / 4 in
  let check = Problems.check in
  check
    (Array.length points = 3 * num_points && (shares = [||] || Array.length shares = 2 * num_points))
    "ht needs three coordinates for each correspondence, and two shares or none.";
  let weights =
    Array.map
      (fun row ->
        let row = flat row in
        check (Array.length row = bones) "ht: a vertex does not have a weight for each bone.";
        List.filter (fun (_, weight) -> weight <> 0.) (List.mapi (fun bone weight -> (bone, weight)) (Array.to_list row)))
      (list "weights")
  in
  let triangles = if shares = [||] then [||] else list "triangles" in
  let far = "ht: a point belongs to a vertex that the model does not have." in
  let corner place =
    if shares = [||] then [| whole place |]
    else
      let triangle = whole place in
      check (triangle >= 0 && triangle < Array.length triangles) far;
      Array.map int_of_float (flat triangles.(triangle))
  in
  let corners = Array.concat (Array.to_list (Array.map corner correspondences)) in
  Array.iter (fun vertex -> check (vertex >= 0 && vertex < vertices) far) corners;
  check
    (Array.length theta = theta_size && bones >= 1 + (4 * fingers))
    "ht needs 26 parameters and at least 21 bones.";
  check
    (Array.length relatives = 16 * bones
    && Array.length inverses = 16 * bones
    && Array.length positions = 4 * vertices
    && Array.length weights = vertices
    && Array.length corners = if shares = [||] then num_points else 3 * num_points)
    "ht's arrays do not have the sizes that belong together.";
  Array.iteri
    (fun bone parent -> check (parent >= -1 && parent < bone) "ht: a bone comes before its parent.")
    parents;
  let is_mirrored = match member "is_mirrored" model with `Bool value -> value | _ -> bad "true or false was expected" in
  { theta; shares; parents; relatives; inverses; positions; weights; corners; points; is_mirrored }

module Make (N : NUMBER) = struct
  open N

  let one = constant 1.

  (* A transformation is its first three rows, twelve numbers. *)

  (* Turn columns i and j: the product with a rotation. *)
  let turn matrix i j angle =
    let c = cos angle and s = sin angle in
    for row = 0 to 2 do
      let at column = Stdlib.( + ) (Stdlib.( * ) 4 row) column in
      let old = matrix.(at i) in
      matrix.(at i) <- (old * c) + (matrix.(at j) * s);
      matrix.(at j) <- (matrix.(at j) * c) - (old * s)
    done

  (* The product; [times] multiplies with an entry of the right side. *)
  let product left right times =
    Array.init 12 (fun i ->
        let row = Stdlib.( - ) i (i mod 4) and column = i mod 4 in
        let part k = times right.(Stdlib.( + ) (Stdlib.( * ) 4 k) column) left.(Stdlib.( + ) row k) in
        let total = part 0 + part 1 + part 2 in
        if column = 3 then total + left.(Stdlib.( + ) row 3) else total)

  let multiplied a b = b * a

  (* A bone's transformation relative to its parent, with its joint bent by the angles that theta has for it. *)
  let bent hand theta bone =
    let open struct
      let ( ++ ) = Stdlib.( + )
    end in
    let result = Array.map constant (Array.sub hand.relatives (Stdlib.( * ) 16 bone) 12) in
    let joint = (bone ++ 3) mod 4 in
    if bone > 0 && bone <= Stdlib.( * ) 4 fingers && joint > 0 then begin
      let first = 6 ++ Stdlib.( * ) 4 (Stdlib.( / ) (pred bone) 4) in
      if joint = 1 then turn result 0 1 theta.(first ++ 1);
      turn result 1 2 theta.(if joint = 1 then first else first ++ joint)
    end;
    result

  (* The vertices before the hand is turned and moved as a whole. *)
  let posed hand theta =
    let absolutes = Array.make (Array.length hand.parents) [||] in
    let moves =
      Array.mapi
        (fun bone parent ->
          let relative = bent hand theta bone in
          absolutes.(bone) <- (if parent < 0 then relative else product absolutes.(parent) relative multiplied);
          product absolutes.(bone) (Array.sub hand.inverses (Stdlib.( * ) 16 bone) 12) scale)
        hand.parents
    in
    Array.mapi
      (fun vertex weights ->
        let position i = hand.positions.(Stdlib.( + ) (Stdlib.( * ) 4 vertex) i) in
        let coordinate a =
          let add total (bone, weight) =
            let part total b =
              total + scale (weight *. position b) moves.(bone).(Stdlib.( + ) (Stdlib.( * ) 4 a) b)
            in
            List.fold_left part total [ 0; 1; 2; 3 ]
          in
          List.fold_left add (constant 0.) weights
        in
        Array.init 3 coordinate)
      hand.weights

  (* The rotation of the whole hand, row by row; None without one. *)
  let rotation r =
    let squared = (r.(0) * r.(0)) + (r.(1) * r.(1)) + (r.(2) * r.(2)) in
    if plain squared < 1e-4 *. 1e-4 then None
    else
      let angle = sqrt squared in
      let s = sin angle and c = cos angle in
      let rest = one - c and axis = Array.map (fun r -> r / angle) r in
      let entry i j =
        let both = rest * axis.(i) * axis.(j) in
        if i = j then c + both
        else
          let k = Stdlib.( - ) 3 (Stdlib.( + ) i j) in
          if j = succ i mod 3 then both - (s * axis.(k)) else both + (s * axis.(k))
      in
      Some (Array.init 3 (fun i -> Array.init 3 (entry i)))

  (* The errors, point by point. *)
  let errors hand theta shares =
    let whole_turn = rotation (Array.sub theta 0 3) in
    let place vertex =
      let vertex = if hand.is_mirrored then [| negative vertex.(0); vertex.(1); vertex.(2) |] else vertex in
      let turned =
        match whole_turn with
        | None -> vertex
        | Some rows -> Array.map (fun row -> (row.(0) * vertex.(0)) + (row.(1) * vertex.(1)) + (row.(2) * vertex.(2))) rows
      in
      Array.mapi (fun i x -> x + theta.(Stdlib.( + ) 3 i)) turned
    in
    let vertices = Array.map place (posed hand theta) in
    Array.mapi
      (fun place point ->
        let i = Stdlib.( / ) place 3 and a = place mod 3 in
        let seen =
          if shares = [||] then vertices.(hand.corners.(i)).(a)
          else
            let corner c = vertices.(hand.corners.(Stdlib.( + ) (Stdlib.( * ) 3 i) c)).(a) in
            let u0 = shares.(Stdlib.( * ) 2 i) and u1 = shares.(succ (Stdlib.( * ) 2 i)) in
            (u0 * corner 0) + (u1 * corner 1) + ((one - u0 - u1) * corner 2)
        in
        constant point - seen)
      hand.points
end
