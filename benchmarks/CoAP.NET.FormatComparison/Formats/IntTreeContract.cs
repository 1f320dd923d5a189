using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Formats;

/// <summary>The integer tree as items: maps with the members of the type, as in JSON.</summary>
internal sealed class IntTreeContract : PayloadContract<IntTree>
{
    public override void Write(CborWriter writer, IntTree value)
    {
        writer.WriteMapStart(2);
        writer.WriteUtf8("value"u8);
        writer.WriteInt64(value.Value);
        writer.WriteUtf8("children"u8);
        writer.WriteArrayStart(value.Children.Length);
        foreach (var child in value.Children) { Write(writer, child); }
    }

    public override IntTree Read(CborReader reader)
    {
        var (value, children) = (0, Array.Empty<IntTree>());
        reader.ReadMapStart();
        while (reader.MoveNext())
        {
            var name = reader.ReadUtf8();
            if (name.SequenceEqual("value"u8)) { value = checked((int)reader.ReadInt64()); }
            else if (name.SequenceEqual("children"u8)) { children = ReadChildren(reader); }
            else { reader.Skip(); }
        }
        return new IntTree(value, children);
    }

    private IntTree[] ReadChildren(CborReader reader)
    {
        var count = reader.ReadArrayStart() ?? 0;
        var children = count == 0 ? [] : new List<IntTree>(count);
        while (reader.MoveNext()) { children.Add(Read(reader)); }
        return [.. children];
    }
}
