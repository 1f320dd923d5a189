namespace CoAP.Formats.Tests;

/// <summary>A type with a contract written by hand: a map with names of members, and one member of each kind.</summary>
internal sealed record Room(string Name, double Value, bool IsOn)
{
    public byte[] Raw { get; init; } = [];

    public List<Room> Children { get; init; } = [];

    public Dictionary<string, int> Counts { get; init; } = [];

    public DateTimeOffset? Time { get; init; }
}

internal sealed class RoomContract : PayloadContract<Room>
{
    public override void Write(ItemWriter writer, Room value)
    {
        writer.WriteMapStart(7);
        writer.WriteUtf8("name"u8);
        writer.WriteText(value.Name);
        writer.WriteUtf8("value"u8);
        writer.WriteDouble(value.Value);
        writer.WriteUtf8("is on"u8);
        writer.WriteBoolean(value.IsOn);
        writer.WriteInt64(4);
        writer.WriteBytes(value.Raw);
        writer.WriteUtf8("children"u8);
        writer.WriteArrayStart(value.Children.Count);
        foreach (var child in value.Children) { Write(writer, child); }
        writer.WriteUtf8("counts"u8);
        PayloadContracts.Builtin.Find<Dictionary<string, int>>()!.Write(writer, value.Counts);
        writer.WriteUtf8("time"u8);
        if (value.Time is { } time) { writer.WriteTimestamp(time); }
        else { writer.WriteNull(); }
    }

    public override Room Read(ItemReader reader)
    {
        var room = new Room("", 0, false);
        reader.ReadMapStart();
        while (reader.MoveNext()) { room = ReadEntry(reader, room); }
        return room;
    }

    private Room ReadEntry(ItemReader reader, Room room)
    {
        if (reader.Peek() == ItemKind.Integer) { return reader.ReadInt64() == 4 ? room with { Raw = reader.ReadBytes() } : Skipped(reader, room); }
        return reader.ReadText() switch
        {
            "name" => room with { Name = reader.ReadText() },
            "value" => room with { Value = reader.ReadDouble() },
            "is on" => room with { IsOn = reader.ReadBoolean() },
            "children" => room with { Children = ReadChildren(reader) },
            "counts" => room with { Counts = PayloadContracts.Builtin.Find<Dictionary<string, int>>()!.Read(reader) },
            "time" => room with { Time = reader.TryReadNull() ? null : reader.ReadTimestamp() },
            _ => Skipped(reader, room),
        };
    }

    private static Room Skipped(ItemReader reader, Room room)
    {
        reader.Skip();
        return room;
    }

    private List<Room> ReadChildren(ItemReader reader)
    {
        var children = new List<Room>();
        reader.ReadArrayStart();
        while (reader.MoveNext()) { children.Add(Read(reader)); }
        return children;
    }
}

internal sealed class RoomContracts : PayloadContracts
{
    private static readonly RoomContract Room = new();
    private static readonly TreeContract Tree = new();

    public static RoomContracts Default { get; } = new();

    public override PayloadContract<T>? Find<T>() => Room as PayloadContract<T> ?? Tree as PayloadContract<T> ?? Builtin.Find<T>();

    public override bool Handles(Type type) => type == typeof(Room) || type == typeof(Tree) || Builtin.Handles(type);
}

/// <summary>Whatever is in a document, read by kinds alone.</summary>
internal sealed record Tree(object? Value);

internal sealed class TreeContract : PayloadContract<Tree>
{
    public override void Write(ItemWriter writer, Tree value) => throw new NotSupportedException();

    public override Tree Read(ItemReader reader) => new(ReadAny(reader));

    private static object? ReadAny(ItemReader reader)
    {
        if (reader.TryReadNull()) { return null; }
        switch (reader.Peek())
        {
            case ItemKind.Boolean: return reader.ReadBoolean();
            case ItemKind.Integer: return reader.ReadInt64();
            case ItemKind.Float: return reader.ReadDouble();
            case ItemKind.Array:
                var items = new List<object?>();
                reader.ReadArrayStart();
                while (reader.MoveNext()) { items.Add(ReadAny(reader)); }
                return items;
            case ItemKind.Map:
                var entries = new Dictionary<string, object?>();
                reader.ReadMapStart();
                while (reader.MoveNext()) { entries[reader.ReadText()] = ReadAny(reader); }
                return entries;
            default: return reader.ReadText();
        }
    }
}
