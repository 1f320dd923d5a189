using System.Collections.Concurrent;
using Google.Protobuf.Reflection;

namespace CoAP.Formats;

/// <summary>Checks what Google's parser does not check: the longest string and the largest repeated field.</summary>
/// <remarks>
/// Reads the encoding along the description of the message, and only if the payload is long enough to exceed a limit. It leaves malformed bytes to
/// the parser.
/// </remarks>
internal sealed class ProtobufScan(MessageDescriptor root, PayloadLimits limits)
{
    private const int Varint = 0, Fixed64 = 1, Delimited = 2, StartGroup = 3, EndGroup = 4, Fixed32 = 5;

    // An object with a few fields, and its place in a list.
    private const int BytesOfMessage = 64;

    private readonly ConcurrentDictionary<MessageDescriptor, Dictionary<int, FieldDescriptor>> _fields = [];

    /// <summary>Checks a payload.</summary>
    /// <exception cref="CoapPayloadException">A limit is exceeded.</exception>
    public void Check(ReadOnlySpan<byte> payload)
    {
        if (payload.Length <= Math.Min(limits.MaxLength, Math.Min(limits.MaxCount, limits.MaxForeseeableKeys))) { return; }
        var messages = 0L;
        CheckMessage(payload, 0, root, depth: 0, ref messages);
    }

    // Returns false if the bytes are malformed: then the parser reports it.
    private bool CheckMessage(ReadOnlySpan<byte> bytes, int offset, MessageDescriptor message, int depth, ref long messages)
    {
        if (depth > limits.MaxDepth) { return false; }
        if (++messages * BytesOfMessage > limits.MaxMemory)
        {
            throw new CoapPayloadException(
                $"The value takes too much memory; at most {limits.MaxMemory} bytes are allowed (at byte {offset}).",
                offset);
        }
        var fields = _fields.GetOrAdd(message, static one => one.Fields.InDeclarationOrder().ToDictionary(field => field.FieldNumber));
        Dictionary<int, int>? counts = null;
        for (var at = 0; at < bytes.Length;)
        {
            var start = at;
            if (!TryReadVarint(bytes, ref at, out var tag)) { return false; }
            fields.TryGetValue((int)(tag >> 3), out var field);
            if (!TrySkip(bytes, ref at, (int)tag & 7, out var content)) { return false; }
            if (field is null) { continue; }
            var isDelimited = ((int)tag & 7) == Delimited;
            if (isDelimited && !CheckField(content, offset + at - content.Length, field, depth, ref messages)) { return false; }
            if (field.IsRepeated)
            {
                var items = isDelimited && IsPackable(field) ? CountPacked(content, field) : 1;
                Count(counts ??= [], field, items, offset + start);
            }
        }
        return true;
    }

    private bool CheckField(ReadOnlySpan<byte> content, int offset, FieldDescriptor field, int depth, ref long messages)
    {
        if (field.FieldType is FieldType.Message) { return CheckMessage(content, offset, field.MessageType, depth + 1, ref messages); }
        if (field.FieldType is FieldType.String or FieldType.Bytes && content.Length > limits.MaxLength)
        {
            throw new CoapPayloadException(
                $"Field {field.Name} has {content.Length} bytes; at most {limits.MaxLength} are allowed (at byte {offset}).", offset);
        }
        return true;
    }

    private void Count(Dictionary<int, int> counts, FieldDescriptor field, int items, int offset)
    {
        counts.TryGetValue(field.FieldNumber, out var count);
        counts[field.FieldNumber] = count + items;
        var most = HasForeseeableKeys(field) ? Math.Min(limits.MaxCount, limits.MaxForeseeableKeys) : limits.MaxCount;
        if (count + items > most)
        {
            throw new CoapPayloadException(
                $"Field {field.Name} has more than {most} items; at most {most} are allowed (at byte {offset}).", offset);
        }
    }

    // Google's maps have the default comparer, for which the hash codes of integers are known to everybody.
    private static bool HasForeseeableKeys(FieldDescriptor field) =>
        field.IsMap && field.MessageType.FindFieldByNumber(1).FieldType is not (FieldType.String or FieldType.Bool);

    private static bool IsPackable(FieldDescriptor field) =>
        field.FieldType is not (FieldType.Message or FieldType.Group or FieldType.String or FieldType.Bytes);

    private static int CountPacked(ReadOnlySpan<byte> content, FieldDescriptor field) => field.FieldType switch
    {
        FieldType.Double or FieldType.Fixed64 or FieldType.SFixed64 => content.Length / sizeof(long),
        FieldType.Float or FieldType.Fixed32 or FieldType.SFixed32 => content.Length / sizeof(int),
        _ => CountVarints(content),
    };

    private static int CountVarints(ReadOnlySpan<byte> content)
    {
        var count = 0;
        foreach (var value in content) { count += value < 0x80 ? 1 : 0; }
        return count;
    }

    private static bool TrySkip(ReadOnlySpan<byte> bytes, ref int at, int type, out ReadOnlySpan<byte> content)
    {
        content = default;
        switch (type)
        {
            case Varint: return TryReadVarint(bytes, ref at, out _);
            case Fixed64: at += sizeof(long); break;
            case Fixed32: at += sizeof(int); break;
            case StartGroup or EndGroup: break;     // the fields inside are not known, or those of this message
            case Delimited:
                if (!TryReadVarint(bytes, ref at, out var length) || length > (ulong)(bytes.Length - at)) { return false; }
                content = bytes.Slice(at, (int)length);
                at += (int)length;
                break;
            default: return false;
        }
        return at <= bytes.Length;
    }

    private static bool TryReadVarint(ReadOnlySpan<byte> bytes, ref int at, out ulong value)
    {
        value = 0;
        for (var shift = 0; shift < 70 && at < bytes.Length; shift += 7)
        {
            var next = bytes[at++];
            value |= (ulong)(next & 0x7f) << shift;
            if (next < 0x80) { return true; }
        }
        return false;
    }
}
