# Completes subcommands, options and the choices of an option, as --help lists them; anything else is a file.
_glassformer() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=() help words
  [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]] && command=("${COMP_WORDS[1]}")
  help=$("${COMP_WORDS[0]}" "${command[@]}" --help 2>/dev/null) || return 0
  if [[ $before == --* ]] && words=$(sed -n "s/^  $before [A-Z]*:{\([^}]*\)}.*/\1/p" <<<"$help") && [[ -n $words ]]; then
    words=${words//,/ }
  elif [[ $word == -* ]]; then
    words=$(grep -oE '^ +(-[a-z],)?--[a-z0-9-]+' <<<"$help" | grep -oE -- '--[a-z0-9-]+')
  elif [[ $COMP_CWORD -eq 1 ]]; then
    words=$(sed '1,/^Subcommands:/d' <<<"$help" | awk 'NF { print $1 }')
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _glassformer glassformer
