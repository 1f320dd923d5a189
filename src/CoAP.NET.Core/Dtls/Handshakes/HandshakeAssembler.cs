namespace CoAP.Dtls;

/// <summary>Reassembles the messages of a handshake and returns them in order (RFC 6347, sections 4.2.2 and 4.2.3).</summary>
/// <remarks>
/// Fragments may overlap, repeat, and arrive in any order. A fragment that contradicts an earlier one is dropped. So is a Finished that is not protected, and any
/// other message that is (RFC 5246, section 7.4.9). Memory is bounded: a few messages ahead, and the given number of bytes, of which the message that comes next
/// may use all. Time is bounded too: a fragment that would leave too many gaps in a message is dropped. The peer retransmits it.
/// </remarks>
/// <param name="next">The number of the first message.</param>
/// <param name="maxBytes">The maximum number of bytes of incomplete and early messages.</param>
internal sealed class HandshakeAssembler(ushort next, int maxBytes)
{
    private const int MostAhead = 8;
    private const int MostGaps = 32;

    private readonly Dictionary<ushort, PartialMessage> _partial = new(SeededComparer<ushort>.Default);
    private int _bytes;

    /// <summary>The number of the next message.</summary>
    public ushort Next { get; private set; } = next;

    /// <summary>Whether the last record contained a fragment of a message that was already taken. The peer then has not received our flight.</summary>
    public bool HasSeenOld { get; private set; }

    /// <summary>Whether a record contained bytes that were missing.</summary>
    public bool HasSeenNew { get; private set; }

    /// <summary>Adds the fragments of a record. After a malformed fragment, the rest of the record is dropped.</summary>
    /// <param name="content">The content of the record.</param>
    /// <param name="isProtected">Whether the record was protected.</param>
    public void Add(ReadOnlySpan<byte> content, bool isProtected = false)
    {
        (HasSeenOld, HasSeenNew) = (false, false);
        while (HandshakeHeader.TryRead(content, out var header))
        {
            var fragment = content.Slice(HandshakeHeader.Size, header.FragmentLength);
            if ((header.Type == HandshakeType.Finished) != isProtected) { return; }
            if (header.Sequence < Next) { HasSeenOld = true; }
            else if (header.Sequence - Next < MostAhead) { Add(header, fragment); }
            content = content[(HandshakeHeader.Size + header.FragmentLength)..];
        }
    }

    /// <summary>Returns the next message, with the header of an unfragmented one; <see langword="null"/> if fragments are missing.</summary>
    public byte[]? TakeNext()
    {
        if (!_partial.TryGetValue(Next, out var message) || !message.IsComplete) { return null; }
        _partial.Remove(Next);
        _bytes -= message.Bytes.Length;
        Next++;
        return message.Bytes;
    }

    private void Add(in HandshakeHeader header, ReadOnlySpan<byte> fragment)
    {
        if (fragment.IsEmpty && header.Length > 0) { return; }
        if (!_partial.TryGetValue(header.Sequence, out var message))
        {
            var size = HandshakeHeader.Size + header.Length;
            if (header.Sequence == Next) { MakeRoom(size); }
            if (size > maxBytes - _bytes) { return; }
            _partial[header.Sequence] = message = new PartialMessage(header);
            _bytes += size;
        }
        HasSeenNew |= message.TryAdd(header, fragment);
    }

    // The peer retransmits early messages with the rest of its flight, so they may be dropped. The next message must not wait for room.
    private void MakeRoom(int size)
    {
        foreach (var (number, message) in _partial)
        {
            if (size <= maxBytes - _bytes) { return; }
            _partial.Remove(number);
            _bytes -= message.Bytes.Length;
        }
    }

    private sealed class PartialMessage
    {
        private readonly HandshakeHeader _header;
        private readonly List<(int Start, int End)> _gaps = [];     // in order

        public PartialMessage(in HandshakeHeader first)
        {
            _header = first with { FragmentOffset = 0, FragmentLength = first.Length };
            Bytes = new byte[HandshakeHeader.Size + first.Length];
            _header.Write(Bytes);
            if (first.Length > 0) { _gaps.Add((0, first.Length)); }
        }

        public byte[] Bytes { get; }

        public bool IsComplete => _gaps.Count == 0;

        // Returns whether bytes were missing. A message without a body is complete at once.
        public bool TryAdd(in HandshakeHeader header, ReadOnlySpan<byte> fragment)
        {
            if (header.Type != _header.Type || header.Length != _header.Length) { return false; }
            var isNew = header.Length == 0;
            var (start, end) = (header.FragmentOffset, header.FragmentOffset + fragment.Length);
            for (var i = _gaps.Count - 1; i >= 0; i--)
            {
                var gap = _gaps[i];
                var (from, to) = (Math.Max(start, gap.Start), Math.Min(end, gap.End));
                if (from >= to) { continue; }
                if (gap.Start < from && to < gap.End && _gaps.Count == MostGaps) { return false; }
                isNew = true;
                fragment[(from - start)..(to - start)].CopyTo(Bytes.AsSpan(HandshakeHeader.Size + from));
                _gaps.RemoveAt(i);
                if (to < gap.End) { _gaps.Insert(i, (to, gap.End)); }
                if (gap.Start < from) { _gaps.Insert(i, (gap.Start, from)); }
            }
            return isNew;
        }
    }
}
