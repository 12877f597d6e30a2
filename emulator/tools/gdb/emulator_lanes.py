"""For emulator.py: the threads of the block that is running, as the emulator's engine keeps them."""

import contextlib
import fnmatch
import re

import gdb

HEADERS = ["*/emulator/include/*", "*/emucc/toolkit/include/*"]  # in the repository, and where emucc is installed

# ---------------------------------------------------------------- the engine's own names, which are here alone
EMULATOR = "emulator::"  # whose functions are not a program's
ENGINE = "emulator::engine::"
CURRENT_LANE = ENGINE + "current_lane"  # a pointer to the Lane that runs
MAIN = ENGINE + "Worker::thread_main"  # the outermost function of a CUDA thread
BARRIERS = ("emulator::detail::block_barrier", "emulator::detail::block_vote")
WAIT = ENGINE + "Wait"  # an enumeration
# Members of a Worker and of a Lane; members of members after a dot.
WORKER = {
    "lanes": "block_.lanes_", "thread_storage": "shared_.begin_", "thread_storage_bytes": "shared_.bytes_",
    "kernel": "grid_.kernel", "dynamic_bytes": "grid_.configuration.shared_bytes",
}
LANE = {
    "worker": "worker", "index": "index", "waiting": "warp.waiting", "suspended": "suspended",
    "operation": "request.operation",
}
# Wait's enumerators, but for `ended` and `warp_operation`.
WAITS = {
    "block_barrier": "waiting at a barrier of the block",
    "tile_exchange": "waiting for the other threads of its tile",
    "grid_barrier": "waiting for the whole grid",
    "phase": "waiting for a phase of an mbarrier, or at a numbered barrier",
    "nothing": "can go on",
}
# Of the operations in emulator/device/warp.h, those that are not __reduce_..._sync().
OPERATIONS = {
    "sync": "__syncwarp", "active_mask": "__activemask", "shuffle": "__shfl_sync", "shuffle_up": "__shfl_up_sync",
    "shuffle_down": "__shfl_down_sync", "shuffle_xor": "__shfl_xor_sync", "ballot": "__ballot_sync",
    "all": "__all_sync", "any": "__any_sync", "match_any": "__match_any_sync", "match_all": "__match_all_sync",
}
# ----------------------------------------------------------------

# Where fiber.cpp, and Boost.Context's fcontext, keep the registers of what is suspended: offsets from the word with the
# program counter, and from the saved stack to what the stack pointer will be.
SAVED = {
    "i386:x86-64": {"pc": 0, "rbp": -0x8, "rbx": -0x10, "r15": -0x18, "r14": -0x20, "r13": -0x28, "r12": -0x30},
    "aarch64": {"pc": 0, "x30": -0x8, "x29": -0x10, "x28": -0x18, "x27": -0x20, "x26": -0x28, "x25": -0x30,
                "x24": -0x38, "x23": -0x40, "x22": -0x48, "x21": -0x50, "x20": -0x58, "x19": -0x60},
}
# Candidates for the offset of that word; newer versions of Boost save one word more.
PC_AT = {"i386:x86-64": [0x38, 0x40], "aarch64": [0xA0]}
STACK_BEHIND_PC = {"i386:x86-64": 8, "aarch64": 16}
POINTERS = {"i386:x86-64": ("rsp", "rip"), "aarch64": ("sp", "pc")}

# A jump in a disassembly, with its target: x86-64 and AArch64.
JUMP = re.compile(r"(?:j\w+|b\.\w+|b|cbn?z\s+\w+,|tbn?z\s+\w+,\s*#\w+,)\s+(0x[0-9a-f]+)")


def show(numbers):
    return "({},{},{})".format(*numbers)


def variable(name):
    """threadIdx and its like, as three numbers."""
    value = gdb.parse_and_eval(name)
    return tuple(int(value[axis]) for axis in "xyz")


def member(value, path):
    """A member of a class, or a member of its member."""
    for name in path.split("."):
        value = value[name]
    return value


def enumerator(value):
    return str(value).rsplit("::", 1)[-1]


def word_at(address):
    return int(gdb.Value(address).cast(gdb.lookup_type("unsigned long").pointer()).dereference())


def frames(frame):
    while frame is not None:
        yield frame
        frame = frame.older()


def is_own(frame):
    """Whether the frame is of the program's own source, not of the emulator's."""
    symtab = frame.find_sal().symtab
    if symtab is None or (frame.name() or "").startswith(EMULATOR):
        return False
    return not any(fnmatch.fnmatch(symtab.fullname(), pattern) for pattern in HEADERS)


def own_frame(frame=None):
    """The innermost frame of the program's own source; None if there is none."""
    return next(filter(is_own, frames(frame or gdb.newest_frame())), None)


def function_here():
    """The name of the program's own function that runs now."""
    frame = own_frame()
    return frame.name() if frame is not None else None


def inside_the_emulator():
    return not is_own(gdb.newest_frame())


def at_a_beginning():
    """Whether nothing of the line has run, where the thread is."""
    frame = gdb.newest_frame()
    return frame.find_sal().pc == frame.pc()


def is_main(frame):
    return (frame.name() or "").startswith(MAIN)


def at_the_end():
    """Whether the running thread has left its kernel."""
    for frame in frames(gdb.newest_frame()):
        if is_main(frame):
            return True
        if frame.type() != gdb.INLINE_FRAME:
            return False
    return False


def outermost():
    """The frame that the engine called: all of the CUDA thread's own is further in."""
    for frame in frames(gdb.newest_frame()):
        if frame.older() is not None and is_main(frame.older()):
            return frame
    raise gdb.GdbError("no thread of a kernel stands here: first stop in one, by `kernel break`")


def place_of(frame):
    """FILE:LINE of a frame; the caller's line for the emulator's own functions."""
    if frame is None:
        return "nowhere in the program's source"
    sal = frame.find_sal()
    return f"{sal.symtab.filename.rsplit('/', 1)[-1]}:{sal.line}"


class Worker:
    """A host thread's equipment, and the block that it runs."""

    def __init__(self, value):
        vector = member(value, WORKER["lanes"])["_M_impl"]
        self.thread_storage = int(member(value, WORKER["thread_storage"]))
        self.thread_storage_bytes = int(member(value, WORKER["thread_storage_bytes"]))
        self.kernel = member(value, WORKER["kernel"]).string()
        self.dynamic_bytes = int(member(value, WORKER["dynamic_bytes"]))
        first, last = vector["_M_start"], vector["_M_finish"]
        self.lanes = [Lane(self, first[i], i) for i in range(int(last - first))]


class Lane:
    """A CUDA thread."""

    def __init__(self, worker, value, number):
        self.worker = worker
        self.value = value
        self.number = number  # in its block
        self.address = int(value.address)
        self.index = tuple(int(self.member("index")[axis]) for axis in "xyz")
        self.is_running = False

    def member(self, name):
        return member(self.value, LANE[name])

    @staticmethod
    def running():
        """The one that is here."""
        if gdb.selected_thread() is None:
            raise gdb.GdbError("the program is not running: set a breakpoint by `kernel break`, then `run`")
        try:
            pointer = gdb.parse_and_eval(CURRENT_LANE)
            pointer.type.target().fields()
        except (gdb.error, RuntimeError, TypeError):
            raise gdb.GdbError("no debug information on the emulator's engine: is this program built for the "
                               "emulator, by a build that is up to date?") from None
        if int(pointer) == 0:
            raise gdb.GdbError("no thread of a kernel stands here: first stop in one, by `kernel break`")
        worker = Worker(member(pointer, LANE["worker"]).dereference())
        lane = next(lane for lane in worker.lanes if lane.address == int(pointer))
        lane.is_running = True
        lane.block = variable("blockIdx")
        return lane

    def wait(self):
        """What it waits for: the name of a Wait."""
        masks = self.member("waiting")["_M_elems"]
        of_this_lane = 1 << self.number % 32
        for field in gdb.lookup_type(WAIT).fields():
            if int(masks[field.enumval]) & of_this_lane:
                return field.name.rsplit("::", 1)[-1]
        return "?"

    def state(self):
        """What the thread does, and where."""
        if self.is_running:
            return f"here, {place_of(own_frame())}"
        wait = self.wait()
        if wait == "ended":
            return "ended"
        if int(self.member("suspended")) == 0:
            return "not begun"
        with self.resumed():
            where = place_of(own_frame())
        if wait == "warp_operation":
            name = enumerator(self.member("operation"))
            return f"waiting in {OPERATIONS.get(name, f'__reduce_{name}_sync')}(), {where}"
        return f"{WAITS.get(wait, wait)}, {where}"

    def value_of(self, expression, function):
        """(value, place) of an expression in the innermost frame of that function; both are texts."""
        if self.is_running:
            return str(gdb.parse_and_eval(expression)), place_of(own_frame())
        wait = self.wait()
        if wait == "ended" or int(self.member("suspended")) == 0:
            return "-", self.state()
        with self.resumed(), self.indexed():
            where = place_of(own_frame())
            for frame in frames(gdb.newest_frame()):
                if frame.name() == function:
                    frame.select()
                    try:
                        return str(gdb.parse_and_eval(expression)), where
                    except gdb.error as error:
                        return "-", f"{where}: {error}"
            return "-", where

    @contextlib.contextmanager
    def indexed(self):
        """threadIdx is the thread's for a while, so that expressions may use it."""
        inferior = gdb.selected_inferior()
        address, size = int(gdb.parse_and_eval("&threadIdx")), self.member("index").type.sizeof
        before = bytes(inferior.read_memory(address, size))
        inferior.write_memory(address, bytes(inferior.read_memory(int(self.member("index").address), size)))
        try:
            yield
        finally:
            inferior.write_memory(address, before)

    @contextlib.contextmanager
    def resumed(self):
        """The host thread's registers are those of the suspended fiber for a while, so that gdb finds its frames."""
        selected = gdb.selected_frame()
        gdb.newest_frame().select()
        registers = self.saved_registers()
        before = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in registers}
        try:
            for name, value in registers.items():
                gdb.execute(f"set ${name} = {value}", to_string=True)
            yield
        finally:
            gdb.newest_frame().select()
            for name, value in before.items():
                gdb.execute(f"set ${name} = {value}", to_string=True)
            if selected.is_valid():
                selected.select()

    def saved_registers(self):
        machine = gdb.newest_frame().architecture().name()
        saved = int(self.member("suspended"))
        for offset in PC_AT.get(machine, []):
            at = saved + offset
            pc = word_at(at)
            # It was suspended in a function of the emulator or of the kernel's, or what is there is no program counter.
            symbol = gdb.execute(f"info symbol {pc:#x}", to_string=True)
            if " in section .text" not in symbol and " in section emulator_text" not in symbol:
                continue
            # At a barrier it is after its call in the kernel, maybe in the next line already.
            if not (gdb.block_for_pc(pc) and gdb.block_for_pc(pc).function
                    and gdb.block_for_pc(pc).function.name.startswith(EMULATOR)):
                pc -= 1
            stack_name, pc_name = POINTERS[machine]
            registers = {name: word_at(at + distance) for name, distance in SAVED[machine].items() if name != "pc"}
            return {stack_name: at + STACK_BEHIND_PC[machine], pc_name: pc, **registers}
        raise gdb.GdbError(f"how a suspended thread keeps its registers is not known here (on {machine})")


def with_bound(value, bytes_):
    """A value; the array of `extern __shared__ T name[]` as long as the launch has made it."""
    kind = value.type.strip_typedefs()
    if kind.code != gdb.TYPE_CODE_ARRAY or kind.sizeof > 0:
        return value
    count = bytes_ // max(1, kind.target().sizeof)
    if count == 0:
        return value
    return value.address.cast(kind.target().array(count - 1).pointer()).dereference()


def loops_within_its_line(frame):
    """Whether the line of the frame jumps back within itself, as `while (flag == 0) {}` does."""
    sal = frame.find_sal()
    if sal.symtab is None or sal.last is None:
        return False
    ranges = []
    entries = sorted(sal.symtab.linetable(), key=lambda entry: entry.pc)
    for entry, following in zip(entries, entries[1:]):
        if entry.line == sal.line and entry.pc < following.pc:
            ranges.append((entry.pc, following.pc))
    function = function_range(frame)
    for first, end in ranges:
        if not function[0] <= first < function[1]:
            continue
        for instruction in frame.architecture().disassemble(first, end - 1):
            jump = JUMP.match(instruction["asm"])
            target = int(jump[1], 16) if jump else None
            if jump and target <= instruction["addr"] and any(low <= target < high for low, high in ranges):
                return True
    return False


def function_range(frame):
    """The addresses of the function that the frame runs, what is inlined into it included."""
    block = frame.block()
    while block.function is None or (block.superblock is not None and is_inlined(block)):
        block = block.superblock
    return block.start, block.end


def is_inlined(block):
    outer = block.superblock
    while outer is not None and not outer.is_static and not outer.is_global:
        if outer.function is not None:
            return True
        outer = outer.superblock
    return False


def starts_of_other_lines(frame):
    """The addresses at which other lines of this function begin."""
    sal = frame.find_sal()
    first, end = function_range(frame)
    return {entry.pc for entry in sal.symtab.linetable()
            if first <= entry.pc < end and entry.line not in (0, sal.line)}


def shared_variables(worker):
    """(name, value) of the shared variables that the frames from the selected one outwards know."""
    seen = set()
    for frame in frames(gdb.selected_frame()):
        if is_main(frame):
            return
        try:
            block = frame.block()
        except RuntimeError:  # without debug information
            continue
        while block is not None and not block.is_static and not block.is_global:
            for symbol in block:
                if not symbol.is_variable or symbol.is_argument or symbol.name in seen:
                    continue
                try:
                    value = symbol.value(frame) if symbol.needs_frame else symbol.value()
                    if value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
                        value = value.referenced_value()
                    address = int(value.address) if value.address is not None else 0
                except gdb.error:
                    continue
                if 0 <= address - worker.thread_storage < worker.thread_storage_bytes:
                    seen.add(symbol.name)
                    yield symbol.name, with_bound(value, worker.dynamic_bytes)
            block = block.superblock
