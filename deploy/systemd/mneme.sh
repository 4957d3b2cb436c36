#!/bin/sh
# The command line client for the service of mneme.service, as its user and with its settings:
#   install -m 0755 deploy/systemd/mneme.sh /usr/local/bin/mneme
set -eu
[ "$(id -un)" = mneme ] || exec runuser -u mneme -- "$0" "$@"
umask 077
export HOME=/var/lib/mneme MNEME_DATA_DIR=/var/lib/mneme
export PATH="/opt/mneme/node_modules/.bin:/usr/local/bin:/usr/bin:/bin"
settings=/etc/mneme/mneme.env
# Like systemd: values have spaces without quotes, and lose quotes around them.
if [ -r "$settings" ]; then
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      [A-Z]*=\"*\" | [A-Z]*=\'*\')
        value=${line#*=?}
        export "${line%%=*}=${value%?}"
        ;;
      [A-Z]*=*) export "${line?}" ;;
    esac
  done < "$settings"
fi
exec node /opt/mneme/packages/cli/bin/mneme.mjs "$@"
