(* Write an AD tool in OCaml: declare functions, and the protocol, the repeating, the timing and the errors are done here.

     let () =
       let tool = Gradbench.create "mytool" in
       let prepare = Gradbench.number and finish y = `Float y in
       Gradbench.declare tool "hello" "square" ~prepare ~evaluate:(fun x -> x *. x) ~finish;
       Gradbench.declare tool "hello" "double" ~prepare ~evaluate:(fun x -> 2. *. x) ~finish;
       Gradbench.run tool

   Needs the library yojson. *)

type json = Yojson.Safe.t

exception Bad_input of string

let bad text = raise (Bad_input text)

external clock : unit -> (int[@untagged]) = "gradbench_clock_boxed" "gradbench_clock" [@@noalloc]

(* {1 Input} *)

let member name : json -> json = function
  | `Assoc fields -> ( match List.assoc_opt name fields with Some value -> value | None -> bad ("the input has no '" ^ name ^ "'"))
  | _ -> bad "the input is no object"

let number : json -> float = function
  | `Float x -> x
  | `Int i -> float_of_int i
  | `Intlit text -> float_of_string text
  | _ -> bad "a number was expected"

let whole json =
  let x = number json in
  if Float.is_integer x then int_of_float x else bad "a whole number was expected"

let items : json -> json list = function `List values -> values | _ -> bad "a list was expected"

(* All numbers of lists within lists, in order. *)
let flat json =
  let rec count = function `List values -> List.fold_left (fun n value -> n + count value) 0 values | _ -> 1 in
  let result = Array.make (count json) 0. and position = ref 0 in
  let rec fill = function
    | `List values -> List.iter fill values
    | value ->
        result.(!position) <- number value;
        incr position
  in
  fill json;
  result

(* {1 Output} *)

(* NaN and infinities become null, since JSON lacks them. *)
let float x : json = if Float.is_finite x then `Float x else `Null
let vector x : json = `List (Array.to_list (Array.map float x))

(* Rows of [width] numbers from place [start] on. *)
let rows x start count width : json = `List (List.init count (fun i -> vector (Array.sub x (start + (i * width)) width)))

(* {1 The tool} *)

type evaluation = { output : json; timings : (string * int) list (* the last one first *) }
type t = { name : string; modules : (string, (string, json -> evaluation) Hashtbl.t) Hashtbl.t }

let create name = { name; modules = Hashtbl.create 16 }

let timed name timings work =
  let start = clock () in
  let value = work () in
  let elapsed = clock () - start in
  timings := (name, elapsed) :: !timings;
  (value, elapsed)

(* Declare a function of a module.

   prepare: JSON input -> argument; not timed.
   record: argument -> what is evaluated; timed once, as "prepare".
   evaluate: timed as "evaluate", and repeated until min_runs and min_seconds of the input are both reached. An input that is
     no object is evaluated once.
   finish: value -> JSON; not timed. *)
let declare_recorded tool module_ name ~prepare ~record ~evaluate ~finish =
  let functions =
    match Hashtbl.find_opt tool.modules module_ with
    | Some found -> found
    | None ->
        let made = Hashtbl.create 4 in
        Hashtbl.add tool.modules module_ made;
        made
  in
  let run input =
    let setting name default =
      match input with
      | `Assoc fields -> ( match List.assoc_opt name fields with Some value -> number value | None -> default)
      | _ -> default
    in
    let min_runs = setting "min_runs" 1. and min_seconds = setting "min_seconds" 0. in
    if min_runs <= 0. && min_seconds <= 0. then bad "min_runs and min_seconds ask for no run at all";
    let argument = prepare input and timings = ref [] in
    let recorded = match record with
      | `Function record -> fst (timed "prepare" timings (fun () -> record argument))
      | `Unchanged unchanged -> unchanged argument
    in
    let rec repeat runs total =
      let value, elapsed = timed "evaluate" timings (fun () -> evaluate recorded) in
      let runs = runs + 1 and total = total + elapsed in
      if float_of_int runs < min_runs || float_of_int total < min_seconds *. 1e9 then repeat runs total else value
    in
    let value = repeat 0 0 in
    { output = finish value; timings = !timings }
  in
  Hashtbl.replace functions name run

let declare tool module_ name ~prepare ~evaluate ~finish =
  declare_recorded tool module_ name ~prepare ~record:(`Unchanged Fun.id) ~evaluate ~finish

let find tool table key what =
  match Hashtbl.find_opt table key with
  | Some found -> found
  | None ->
      let known = List.sort compare (Hashtbl.fold (fun name _ names -> name :: names) table []) in
      bad (Printf.sprintf "The tool %s has no %s '%s', only %s." tool.name what key (String.concat ", " known))

(* What timings depend on beside the tool. *)
let machine_facts () : json =
  let first_line path accept =
    match open_in path with
    | exception Sys_error _ -> "unknown"
    | channel ->
        let rec search () =
          match input_line channel with
          | exception End_of_file -> "unknown"
          | line -> ( match accept line with Some text -> text | None -> search ())
        in
        Fun.protect ~finally:(fun () -> close_in channel) search
  in
  let model line =
    if String.length line > 10 && String.sub line 0 10 = "model name" then
      Option.map
        (fun i -> String.trim (String.sub line (i + 1) (String.length line - i - 1)))
        (String.index_opt line ':')
    else None
  in
  let cores = ref 0 in
  let count line =
    if String.length line >= 9 && String.sub line 0 9 = "processor" then incr cores;
    None
  in
  ignore (first_line "/proc/cpuinfo" count);
  `Assoc
    [
      ("cpu", `String (first_line "/proc/cpuinfo" model));
      ("cores", `String (if !cores > 0 then string_of_int !cores else "unknown"));
      ("governor", `String (first_line "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor" Option.some));
      ("threads", `String "1");
      ("compiler", `String ("OCaml " ^ Sys.ocaml_version));
    ]

let text json = match json with `String text -> text | _ -> bad "a text was expected"

let answer tool message : json =
  let id = member "id" message in
  let kind = match member "kind" message with `String kind -> kind | _ -> "" | exception Bad_input _ -> "" in
  let evaluate () =
    let functions = find tool tool.modules (text (member "module" message)) "module" in
    if kind = "define" then []
    else
      let run = find tool functions (text (member "function" message)) "function" in
      let input = try member "input" message with Bad_input _ -> `Null in
      let { output; timings } = run input in
      let timing (name, nanoseconds) = `Assoc [ ("name", `String name); ("nanoseconds", `Int nanoseconds) ] in
      [ ("output", output); ("timings", `List (List.rev_map timing timings)) ]
  in
  let fields =
    match kind with
    | "start" -> [ ("tool", `String tool.name); ("machine", machine_facts ()) ]
    | "define" | "evaluate" -> (
        match evaluate () with
        | found -> ("success", `Bool true) :: found
        | exception ((Bad_input _ | Failure _ | Invalid_argument _ | Stack_overflow | Out_of_memory | Not_found) as error) ->
            let words = match error with Bad_input text | Failure text -> text | other -> Printexc.to_string other in
            [ ("success", `Bool false); ("error", `String words) ])
    | _ -> []
  in
  `Assoc (("id", id) :: fields)

(* Answer the messages on standard input until it ends. *)
let run tool =
  try
    while true do
      let line = input_line stdin in
      match Yojson.Safe.from_string line with
      | `Assoc fields as message when List.mem_assoc "id" fields ->
          print_string (Yojson.Safe.to_string ~std:true (answer tool message));
          print_char '\n';
          flush stdout
      | _ | (exception Yojson.Json_error _) ->
          prerr_endline (tool.name ^ ": a line is no message of the protocol");
          exit 1
    done
  with End_of_file -> ()
