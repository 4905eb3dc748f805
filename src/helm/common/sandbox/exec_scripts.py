"""What sessions run inside, in the language of any shell."""

REAPER = 'trap "exit 0" TERM; while :; do sleep 3600 & wait $!; done'
"""What the first process runs by `sh -c`: it does nothing but wait, which takes leave of orphans as well."""

RUN = """\
word=$1; shift; read -r size || exit 125; printf '\\000%s %d\\000' "$word" $$
if [ "$size" = 0 ]; then (exec "$@" </dev/null 2>&1); else head -c "$size" | (exec "$@" 2>&1); fi
printf '\\000%s-end %d\\000' "$word" $?; cat >/dev/null
"""
"""Tells its process and, at the end, the status: a client whose connection breaks may end with any status, also 0.

It begins with the first line of its input, the number of bytes of the program's own, and ends with its end. By then the client
carries input and output, and all output has arrived: Podman loses what is printed by a program that ends before that.

Arguments: a random word, and the program with its arguments.
"""

PREPARE = """\
cd -- "$1" || exit 126; shift
while [ "$1" != -- ]; do export "$1"; shift; done
shift; exec "$@"
"""
"""Arguments: a folder, variables as `NAME=value`, `--`, and the program with its arguments."""

LIST = """\
[ -d "$1" ] || exit 0
if stat --printf "" / 2>/dev/null; then find "$1" -type f -exec stat --printf '%s %n\\0' {} +
else find "$1" -type f -exec stat -c '%s %n' {} + | tr '\\n' '\\000'; fi | head -c "$2"
"""
"""Arguments: a folder, and the most that is printed. Without the GNU programs, names with line breaks are left out."""

SHELL = """\
(if command -v bash >/dev/null 2>&1; then exec bash --noprofile --norc; fi; exec sh) 2>&1; printf '\\000%s-over %d\\000' "$1" $?
"""
"""Argument: a random word."""

KILL = """\
all= ; for file in /proc/[0-9]*/stat; do
  { read -r line < "$file"; } 2>/dev/null || continue
  pid=${file#/proc/}; pid=${pid%/stat}
  set_ () { found="$pid:$2:${20}"; }; set_ ${line##*) }
  all="$all $found"
done
known=" $1 "; again=1
while [ "$again" ]; do again=
  for one in $all; do
    pid=${one%%:*}; rest=${one#*:}; parent=${rest%%:*}; began=${rest#*:}
    case "$known" in *" $pid "*) continue;; esac
    case "$known" in *" $parent "*) ;; *) continue;; esac
    if [ "$parent" = "$1" ] && [ "$began" -lt "$2" ]; then continue; fi
    known="$known$pid "; again=1
  done
done
for pid in $known; do if [ "$pid" != "$1" ] || [ "$2" = 0 ]; then kill -9 "$pid" 2>/dev/null; fi; done; :
"""
"""Kills the processes below one that began at a time or later, in hundredths of a second; at 0, also itself."""


def shell_text(word: str, command: bytes) -> bytes:
    """Return what a shell reads to say when it begins, to run a command, and to say how it ended."""
    begin = f'read -r __up __rest < /proc/uptime; printf "\\000{word}-begun %s\\000" "$__up"\n'
    end = f'\n}} </dev/null; printf "\\000{word} %d\\000" $?\n'
    return begin.encode() + b"{ eval " + _quote(command) + end.encode()


def _quote(text: bytes) -> bytes:
    return b"'" + text.replace(b"'", b"'\\''") + b"'"


def ticks(uptime: str | None) -> str:
    """Return seconds with two digits as hundredths, and one less, so that nothing of this moment is missed."""
    digits = (uptime or "").replace(".", "")
    return str(max(1, int(digits) - 1)) if digits.isdigit() else "1"
