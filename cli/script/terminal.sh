# What goes to a terminal: lines that fit, and colours; and what a mistyped command may have meant. Sourced by
# ../../course.
# shellcheck shell=sh disable=SC2154 # what is not assigned here, ../../course assigns

# Whether standard output (1) and error (2) are terminals, and how wide: looked at here, since a pipe takes their place
# later. A terminal that cannot even go back to the start of a line cannot be drawn on.
screens=
columns_1=
columns_2=
for stream in 1 2; do
  [ -t $stream ] || continue
  case ${TERM:-dumb} in
    dumb) ;;
    *) screens=$screens$stream ;;
  esac
  { wide=$(stty size <&3 2>/dev/null); } 3>&$stream
  wide=${wide#* }
  case $wide in
    [2-9][0-9] | [1-9][0-9][0-9] | [1-9][0-9][0-9][0-9]) ;;
    *) wide=80 ;;
  esac
  if [ $stream = 1 ]; then columns_1=$wide; else columns_2=$wide; fi
done
# What the user asks for comes first.
case ${COLUMNS-} in
  [2-9][0-9] | [1-9][0-9][0-9] | [1-9][0-9][0-9][0-9]) columns_1=$COLUMNS columns_2=$COLUMNS ;;
esac

# is_screen 2: whether drawing is allowed there.
is_screen() {
  case $screens in
    *$1*) return 0 ;;
  esac
  return 1
}

# coloured STREAM SCRIPT: stdin changed by a script of sed's that puts colours in, if the stream shows any.
coloured() {
  if [ -n "${NO_COLOR:-}" ] || ! is_screen "$1"; then
    cat
  else
    sed "$(printf '%b' "$2")"
  fi
}

# A line of fitted's. One that is too wide has a long word in it: it begins further to the left; and, if long words may
# be broken, they are, best where a part of a path ends.
put_fitted() {
  rest=$1
  if [ "${#rest}" -gt "$width" ]; then
    blanks=${rest%%[! ]*}
    excess=$((${#rest} - width))
    [ "$excess" -le "${#blanks}" ] || excess=${#blanks}
    rest=$(printf '%*s' $((${#blanks} - excess)) '')${rest#"$blanks"}
  fi
  while [ "$breaks_words" = yes ] && [ "${#rest}" -gt "$width" ]; do
    piece=$(printf "%.${width}s" "$rest")
    case $piece in
      */?*) piece=${piece%/*}/ ;;
    esac
    printf '%s\n' "$piece"
    rest=${rest#"$piece"}
  done
  printf '%s\n' "$rest"
}

# fitted STREAM [words]: the lines of stdin, broken between words to fit the terminal that the stream is, or into
# COLUMNS; with `words` also within words that are too long. A line is carried over below where its text begins. To a
# pipe or a file they go as they are.
fitted() {
  breaks_words=no
  [ "${2-}" != words ] || breaks_words=yes
  if [ "$1" = 1 ]; then width=$columns_1; else width=$columns_2; fi
  if [ -z "$width" ]; then
    cat
    return
  fi
  set -f
  while IFS= read -r line || [ -n "$line" ]; do
    if [ "${#line}" -le "$width" ]; then
      printf '%s\n' "$line"
      continue
    fi
    indent=${line%%[! ]*}
    [ "${#indent}" -le $((width / 2)) ] || indent='    '
    text=${line#"${line%%[! ]*}"}
    name=${text%%  *}
    made=$indent
    if [ "$name" != "$text" ]; then # a name, and what it means
      text=${text#"$name"}
      gap=${text%%[! ]*}
      if [ $((${#indent} + ${#name} + ${#gap})) -le $((width / 2)) ]; then
        indent=$(printf '%*s' $((${#indent} + ${#name} + ${#gap})) '')
        made=$made$name$gap
      else
        text=$name$text
      fi
    fi
    between=
    for word in $text; do
      if [ -n "$between" ] && [ $((${#made} + 1 + ${#word})) -gt "$width" ]; then
        put_fitted "$made"
        made=$indent$word
      else
        made=$made$between$word
      fi
      between=' '
    done
    put_fitted "$made"
  done
  set +f
}

# Every way to leave one letter of a word out, and the word.
nearly() {
  before=
  after=$1
  printf ' %s ' "$1"
  while [ -n "$after" ]; do
    letter=${after%"${after#?}"}
    after=${after#?}
    printf ' %s ' "$before$after"
    before=$before$letter
  done
}

# The commands that a mistyped one may stand for, "check or watch"; nothing if there is none.
meant() {
  mistyped=$(nearly "$1")
  found=
  for name in $commands; do
    for word in $(nearly "$name"); do
      case $mistyped in
        *" $word "*)
          found="$found${found:+ or }$name"
          break
          ;;
      esac
    done
  done
  printf '%s' "$found"
}
