# SPDX-License-Identifier: MIT
# Sourced by arena/demo.sh and tests/run.sh, from the project's root: installs the Debian packages
# that are missing and builds a preset. Nothing is asked; nothing is installed that is there.

packages_to_build="gcc libc6-dev cmake ninja-build pkg-config libev-dev libmsgpack-dev libseccomp-dev
libsqlite3-dev libarchive-dev libjansson-dev nettle-dev libmicrohttpd-dev libcurl4-gnutls-dev libicu-dev
libmd4c-dev libmd4c-html0-dev libisal-dev"
packages_of_bots="python3 python3-msgpack perl libdata-messagepack-perl lua5.4 lua-messagepack"

# setup_install PACKAGE...
setup_install() {
    missing=
    for package; do
        case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
        *" installed") ;;
        *) missing="$missing $package" ;;
        esac
    done
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "these packages are missing, and there is neither root nor sudo to install them:$missing" >&2
            return 1
        }
        as_root=sudo
    fi
    echo "installing$missing"
    $as_root apt-get -o DPkg::Lock::Timeout=300 -qq update &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
            -qq install -y --no-install-recommends $missing >/dev/null
}

# setup_build PRESET [TARGET...]: configures and builds into build/PRESET, all of it unless targets
# are named; says little unless something fails.
setup_build() {
    preset=$1
    shift
    mkdir -p build
    cmake --preset "$preset" >build/setup.log 2>&1 &&
        cmake --build "build/$preset" ${1:+--target} "$@" >>build/setup.log 2>&1 || {
        cat build/setup.log >&2
        rm -f build/setup.log
        return 1
    }
    rm -f build/setup.log
}
