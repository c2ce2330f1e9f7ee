#!/usr/bin/env bash
# A Slurm of two small nodes on this one machine, for the tests: no systemd, no accounting database.
#   tests/project/slurm_cluster.sh up      install the packages if need be, start, wait until both nodes are idle
#   tests/project/slurm_cluster.sh down    stop what `up` started, and no other Slurm
# It needs root and Debian's packages. Exit code 3: it cannot be had here, and a line says why.
set -euo pipefail

DIR=${WSCLUST_SLURM_DIR:-/tmp/wsclust-slurm}
PORT=${WSCLUST_SLURM_PORT:-16817}
# Snakemake's Slurm plugin takes every SLURM_ variable from its jobs, SLURM_CONF too, so the commands within a
# job find the configuration only at this place.
DEFAULT=/etc/slurm/slurm.conf
NODES="n1 n2"

cannot() {
    echo "slurm: $1" >&2
    exit 3
}

install_with_apt() {
    export DEBIAN_FRONTEND=noninteractive
    timeout 60 apt-get update -qq &&
        timeout 120 apt-get install -y -qq --no-install-recommends slurmctld slurmd slurm-client munge
}

install_packages() {
    local program missing=
    for program in slurmctld slurmd sbatch munged; do
        command -v $program >/dev/null || missing=$program
    done
    if [ -n "$missing" ]; then
        command -v apt-get >/dev/null || cannot "$missing is not here, nor apt-get to install it with"
        install_with_apt >"$DIR/log/apt.log" 2>&1 ||
            cannot "apt-get could not install it ($(tail -n 1 "$DIR/log/apt.log"))"
    fi
    if [ -e $DEFAULT ] && [ "$(readlink $DEFAULT)" != "$DIR/slurm.conf" ]; then
        cannot "$DEFAULT is there and not ours; this machine has a Slurm of its own"
    fi
}

configure() {
    local host
    host=$(hostname -s)
    [ -s "$DIR/munge/key" ] || (umask 077 && head -c 1024 /dev/urandom >"$DIR/munge/key")
    # Job states are read with squeue, so finished jobs stay visible (MinJobAge). Memory is a resource that is
    # given out, so that a job which asks for more than a node has is refused as on a real cluster.
    cat >"$DIR/slurm.conf" <<CONF
ClusterName=wsclust
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$PORT
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$DIR/run/munge.sock
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPidFile=$DIR/run/slurmctld.pid
SlurmdPidFile=$DIR/run/slurmd.%n.pid
SlurmctldLogFile=$DIR/log/slurmctld.log
SlurmdLogFile=$DIR/log/slurmd.%n.log
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool/%n
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,batch_sched_delay=0,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=1
MinJobAge=3600
KillWait=5
SlurmctldTimeout=60
SlurmdTimeout=60
CONF
    local number=0
    for node in $NODES; do
        number=$((number + 1))
        echo "NodeName=$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((PORT + number)) CPUs=1" \
            "RealMemory=6000 State=UNKNOWN" >>"$DIR/slurm.conf"
    done
    echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP" >>"$DIR/slurm.conf"
    mkdir -p "$(dirname $DEFAULT)"
    ln -sfn "$DIR/slurm.conf" $DEFAULT
}

up() {
    [ "$(id -u)" = 0 ] || cannot "starting it needs root"
    mkdir -p "$DIR"/{log,run,state,munge}
    chmod 700 "$DIR/munge"
    install_packages
    configure
    munged --force --socket="$DIR/run/munge.sock" --key-file="$DIR/munge/key" --log-file="$DIR/log/munged.log" \
        --pid-file="$DIR/run/munged.pid" --seed-file="$DIR/munge/seed"
    slurmctld -c
    for node in $NODES; do
        mkdir -p "$DIR/spool/$node"
        slurmd -N "$node"
    done
    for _ in $(seq 60); do
        [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" = 2 ] && return
        sleep 0.5
    done
    sinfo >&2 || true
    tail -n 5 "$DIR"/log/slurm*.log >&2
    return 1
}

down() {
    # Jobs end before the daemons, which would leave them running.
    if [ -f "$DIR/run/slurmctld.pid" ] && [ "$(readlink $DEFAULT)" = "$DIR/slurm.conf" ]; then
        scancel --user="$(id -un)" || true
        for _ in $(seq 40); do
            [ -z "$(squeue -h 2>/dev/null)" ] && break
            sleep 0.25
        done
    fi
    for name in slurmd.n1 slurmd.n2 slurmctld munged; do
        if [ -f "$DIR/run/$name.pid" ]; then
            kill "$(cat "$DIR/run/$name.pid")" 2>/dev/null || true
        fi
    done
    [ "$(readlink $DEFAULT)" = "$DIR/slurm.conf" ] && rm -f $DEFAULT
    # The daemons write their state once more as they end.
    for _ in $(seq 40); do
        [ -e "$DIR/run/slurmctld.pid" ] || [ -e "$DIR/run/munged.pid" ] || break
        sleep 0.25
    done
    rm -rf "$DIR"
}

case ${1:-} in
    up) up ;;
    down) down ;;
    *) sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
