# SPDX-License-Identifier: MIT
"""Archives of somebody who attacks: sparse files, bombs, wrong names and kinds. Each with the statuses it may get."""
import gzip
import io
import struct
import zipfile
import zlib

HUGE = 8 << 40
# Of a version that is there already: 409 says that an archive was unpacked.
MANIFEST = b'{"name": "ann-bot", "version": "1", "author": "Anna", "run": ["./random"]}'


def octal(number, width):
    """A number of a tar's head; what does not fit is written in base 256."""
    if number < 8 ** (width - 1):
        return f"{number:0{width - 1}o}\0".encode()
    return bytes([0x80]) + number.to_bytes(width - 1, "big")


def head(name, size=0, kind=b"0", gnu=None, link=b""):
    """One head of a tar. gnu: the parts, the flag for more parts and the size of an old sparse file."""
    block = bytearray(512)
    block[0:100] = name.encode()[:100].ljust(100, b"\0")
    block[100:124] = octal(0o644, 8) + octal(0, 8) + octal(0, 8)
    block[124:148] = octal(size, 12) + octal(0, 12)
    block[148:157] = b" " * 8 + kind
    block[157:257] = link.ljust(100, b"\0")
    block[257:265] = b"ustar  \0" if gnu else b"ustar\00000"
    if gnu:
        parts, more, real = gnu
        text = b"".join(octal(at, 12) + octal(count, 12) for at, count in parts)
        block[386:386 + len(text)] = text
        block[482] = more
        block[483:495] = octal(real, 12)
    block[148:156] = f"{sum(block):06o}\0 ".encode()
    return bytes(block)


def padded(data):
    return data + bytes(-len(data) % 512)


def pax(records, name, data, size=None):
    """A file with records of pax before its head."""
    text = b""
    for record in (f" {key}={value}\n".encode() for key, value in records):
        length = len(record) + 1
        while len(f"{length}") + len(record) > length:
            length += 1
        text += f"{length}".encode() + record
    return head("pax", len(text), b"x") + padded(text) + head(name, len(data) if size is None else size) + padded(data)


def tar(*entries):
    return head("bot.json", len(MANIFEST)) + padded(MANIFEST) + b"".join(entries) + bytes(1024)


def sparse():
    """Sparse files in each of GNU's formats: of 8 TiB, and with millions of parts."""
    data = b"x" * 512
    huge = [("GNU.sparse.size", HUGE), ("GNU.sparse.numblocks", 1)]
    new = [("GNU.sparse.major", 1), ("GNU.sparse.minor", 0), ("GNU.sparse.name", "huge")]
    yield "old", tar(head("huge", 512, b"S", ([(HUGE - 512, 512)], 0, HUGE)) + data), (413,)
    yield "old, beyond its size", tar(head("huge", 512, b"S", ([(HUGE - 512, 512)], 0, 512)) + data), (409,)
    yield "0.0", tar(pax(huge + [("GNU.sparse.offset", HUGE - 512), ("GNU.sparse.numbytes", 512)], "huge", data)), (413,)
    yield "0.1", tar(pax(huge + [("GNU.sparse.map", f"{HUGE - 512},512")], "huge", data)), (413,)
    parts = padded(f"1\n{HUGE - 512}\n512\n".encode()) + data
    yield "1.0", tar(pax(new + [("GNU.sparse.realsize", HUGE)], "huge", parts)), (413,)
    yield "pax size", tar(pax([("size", HUGE)], "huge", data, 0)), (413,)
    yield "negative", tar(pax([("size", -512)], "huge", data, 0)), (422,)
    more = head("huge", 512, b"S", ([(0, 0)] * 4, 1, 512)) + (octal(0, 12) * 42 + b"\1").ljust(512, b"\0") * 50000
    yield "old, with a million parts", gzip.compress(tar(more + data), 1), (413,)
    parts = padded(b"4000000\n" + b"0\n0\n" * 4000000)
    yield "1.0, with 4 million parts", gzip.compress(tar(pax(new + [("GNU.sparse.realsize", 512)], "huge", parts)), 1), (413,)
    parts = ",".join(["0,0"] * 200000)
    yield "0.1, with 200,000 parts", gzip.compress(tar(pax([("GNU.sparse.size", 512), ("GNU.sparse.map", parts)], "huge", data))), (422,)


def overlapping(count, size, said=None, step=0):
    """A zip whose entries all have the same bytes, or each begin `step` bytes later: kilobytes that unpack to gigabytes."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = deflate.compress(bytes(size)) + deflate.flush()
    fields = (20, 0, 8, 0, 33, zlib.crc32(bytes(size)), len(packed), size if said is None else said)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("bot.json", MANIFEST)
        offset = out.tell()
        out.write(struct.pack("<I5H3I2H", 0x04034b50, *fields, 1, 0) + b"k" + packed)
        archive.start_dir = out.tell()
    data = out.getvalue()
    begin = data.index(b"PK\1\2")
    end = data.index(b"PK\5\6")
    names = (f"k{number}".encode() for number in range(count))
    entries = data[begin:end] + b"".join(
        struct.pack("<I6H3I5H2I", 0x02014b50, 20, *fields, len(name), 0, 0, 0, 0, 0, offset + step * i) + name
        for i, name in enumerate(names))
    tail = struct.pack("<I4H2IH", 0x06054b50, 0, 0, min(count + 1, 65535), min(count + 1, 65535), len(entries), begin, 0)
    return data[:begin] + entries + tail


def zips():
    yield "the same entry", overlapping(5000, 1 << 20), (409,)  # which libarchive reads once
    yield "overlapping", overlapping(5000, 1 << 20, step=1), (413, 422)
    yield "with a large directory", overlapping(30000, 0, step=1), (413, 422)
    yield "a lie about the size", overlapping(1, 1 << 26, 10), (409, 422)
    for name in ("/etc/x", "../x", "..\\x", "a/../../x", "a\\..\\..\\x", "C:/../../x"):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("bot.json", MANIFEST)
            entry = zipfile.ZipInfo("x")
            entry.filename = name  # as it is
            archive.writestr(entry, b"")
        yield f"the name {name}", out.getvalue(), (422,)


def kinds():
    """Entries that are no files, links that lead out, and names that a folder cannot have."""
    for kind, link in ((b"1", b"bot.json"), (b"1", b"/etc/passwd"), (b"3", b""), (b"4", b""), (b"6", b""), (b"2", b"")):
        yield f"kind {kind} {link}", tar(head("x", 0, kind, link=link)), (422,)
    for link in (b"/etc/passwd", b"../../../etc/passwd"):  # which leads nowhere in the sandbox
        yield f"a link to {link}", tar(head("x", 0, b"2", link=link)), (409,)
    yield "bot.json as a link", tar(head("bot.json", 0, b"2", link=b"/etc/passwd")), (422,)
    yield "two files of one name", tar(head("a"), head("a", 1) + padded(b"x"), head("A")), (409,)
    through = head("d", 0, b"2", link=b"/tmp") + head("d/x", 1) + padded(b"x")
    yield "through a link", tar(through), (422,)
    yield "a file that is a folder", tar(head("a", 1) + padded(b"x") + head("a/b", 1) + padded(b"x")), (422,)
    yield "bot.json as a folder", tar(head("bot.json/", 0, b"5")), (422,)
    for name in ("n" * 300, "n/" * 2000 + "n", "n/" * 70 + "n"):
        yield f"a name of {len(name)} bytes", tar(pax([("path", name)], "x", b"")), (422,)
    deep = [head(f"{number}/{'d/' * 45}x") for number in range(500)]  # 23,500 files and folders
    yield "folders that are not listed", gzip.compress(tar(*deep)), (422,)
    yield "few folders, named again and again", gzip.compress(tar(*[head(f"{'a/./' * 60}{n}") for n in range(900)])), (409,)
    yield "a long name of GNU", tar(head("././@LongLink", 900000, b"L") + padded(b"n" * 900000) + head("x")), (413, 422)
    yield "a name with an end of line", tar(pax([("path", "a\nb")], "x", b"")), (409,)
    yield "no name", tar(head("")), (409,)


def all_archives():
    for what in (sparse, zips, kinds):
        for name, archive, statuses in what():
            yield f"{what.__name__}: {name}", archive, statuses

