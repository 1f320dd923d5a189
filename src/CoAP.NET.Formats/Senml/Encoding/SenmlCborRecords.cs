namespace CoAP.Formats;

/// <summary>Writes and reads single records in CBOR.</summary>
internal static class SenmlCborRecords
{
    // Integers up to this size are not longer than floating-point numbers.
    private const double MaxShortInteger = uint.MaxValue;

    public static void Write(CborWriter writer, SenmlRecord record)
    {
        writer.WriteMapStart(CountOf(record));
        for (var label = SenmlLabel.BaseName; label < SenmlLabel.Unknown; label++)
        {
            if (record.ValueOf(label) is not { } value) { continue; }
            writer.WriteInt64(SenmlLabels.NumberOf(label));
            WriteValue(writer, value);
        }
        foreach (var extension in record.Extensions)
        {
            writer.WriteText(extension.Label);
            WriteValue(writer, extension.Value);
        }
    }

    public static SenmlRecord Read(CborReader reader, SenmlRecordBuilder builder)
    {
        if (reader.Peek() is var kind && kind != ItemKind.Map) { throw builder.Error($"it is {Describe(kind)}; a map is required", reader.Offset); }
        reader.ReadMapStart();
        while (reader.MoveNext())
        {
            var label = ReadLabel(reader, builder);
            if (label != SenmlLabel.Unknown) { ReadField(reader, builder, label); }
            else if (builder.WantsExtension) { ReadExtension(reader, builder); }
            else { reader.Skip(); }
        }
        return builder.End();
    }

    private static SenmlLabel ReadLabel(CborReader reader, SenmlRecordBuilder builder)
    {
        var offset = reader.Offset;
        var kind = reader.Peek();
        // As a floating-point number, because unknown labels may have 65 bits.
        if (kind == ItemKind.Integer) { return builder.Accept((long)reader.ReadDouble(), offset); }
        if (kind != ItemKind.Text) { throw builder.Error($"a label is {Describe(kind)}; an integer or a text is required", offset); }
        var label = builder.Accept(reader.ReadUtf8(), offset);
        // Another receiver would ignore such a field, so the pack would not mean the same to all.
        return label == SenmlLabel.Unknown
            ? label
            : throw builder.Error(
                $"field '{SenmlLabels.NameOf(label)}' has a text as its label; {SenmlLabels.NumberOf(label)} is required (RFC 8428, section 6)",
                offset);
    }

    private static void ReadField(CborReader reader, SenmlRecordBuilder builder, SenmlLabel label)
    {
        var offset = reader.Offset;
        switch (SenmlLabels.KindOf(label), reader.Peek())
        {
            case (SenmlValueKind.Number, ItemKind.Integer):
                builder.Set(label, reader.ReadDouble(), offset);
                break;
            case (SenmlValueKind.Number, ItemKind.Float) when label != SenmlLabel.BaseVersion:
                builder.Set(label, reader.ReadDouble(), offset);
                break;
            case (SenmlValueKind.Number, ItemKind.Tagged) when label != SenmlLabel.BaseVersion:
                var number = SenmlCborFractions.TryRead(reader, out var isFraction);
                builder.Set(label, number ?? throw NoNumber(builder, label, isFraction, offset), offset);
                break;
            case (SenmlValueKind.Number, ItemKind.Timestamp) when label is SenmlLabel.BaseTime or SenmlLabel.Time:
                var time = TryReadEpoch(reader) ?? throw builder.WrongType(label, Describe(ItemKind.Timestamp), offset);
                builder.SetAbsolute(label, time, offset);
                break;
            case (SenmlValueKind.Text, ItemKind.Text):
                builder.Set(label, reader.ReadText());
                break;
            case (SenmlValueKind.Boolean, ItemKind.Boolean):
                builder.Set(reader.ReadBoolean());
                break;
            case (SenmlValueKind.Data, ItemKind.Bytes):
                builder.Set(reader.ReadBytes());
                break;
            case (_, var kind) when label == SenmlLabel.BaseVersion:
                throw builder.Error($"field 'bver' is {Describe(kind)}; an unsigned integer is required (RFC 8428, section 6)", offset);
            case (_, var kind):
                throw builder.WrongType(label, Describe(kind), offset);
        }
    }

    private static void ReadExtension(CborReader reader, SenmlRecordBuilder builder)
    {
        switch (reader.Peek())
        {
            case ItemKind.Integer or ItemKind.Float:
                builder.SetExtension(reader.ReadDouble());
                break;
            case ItemKind.Text:
                builder.SetExtension(reader.ReadText());
                break;
            case ItemKind.Boolean:
                builder.SetExtension(reader.ReadBoolean());
                break;
            case ItemKind.Bytes:
                builder.SetExtension(reader.ReadBytes());
                break;
            case ItemKind.Tagged:
                if (SenmlCborFractions.TryRead(reader, out _) is { } number) { builder.SetExtension(number); }
                break;
            default:
                reader.Skip();
                break;
        }
    }

    // Some encoders give all times tag 1, a number of seconds since 1970 (RFC 8949, section 3.4.2). RFC 8428, section 6 has numbers without
    // a tag.
    private static double? TryReadEpoch(CborReader reader) =>
        reader.ReadTag() == CborMajor.EpochTag && reader.Peek() is ItemKind.Integer or ItemKind.Float ? reader.ReadDouble() : null;

    private static CoapPayloadException NoNumber(SenmlRecordBuilder builder, SenmlLabel label, bool isFraction, long offset) => isFraction
        ? builder.Error(SenmlCborFractions.Rule, offset)
        : builder.WrongType(label, "a tagged item", offset);

    private static int CountOf(SenmlRecord record)
    {
        var count = record.Extensions.Count;
        for (var label = SenmlLabel.BaseName; label < SenmlLabel.Unknown; label++)
        {
            if (record.ValueOf(label).HasValue) { count++; }
        }
        return count;
    }

    private static void WriteValue(CborWriter writer, SenmlValue value)
    {
        switch (value.Kind)
        {
            case SenmlValueKind.Number: WriteNumber(writer, value.Number); break;
            case SenmlValueKind.Text: writer.WriteText(value.Text); break;
            case SenmlValueKind.Boolean: writer.WriteBoolean(value.Boolean); break;
            default: writer.WriteBytes(value.Data.Span); break;
        }
    }

    private static void WriteNumber(CborWriter writer, double value)
    {
        var isInteger = Math.Abs(value) <= MaxShortInteger && value == Math.Truncate(value) && !(value == 0 && double.IsNegative(value));
        if (isInteger) { writer.WriteInt64((long)value); }
        else { writer.WriteDouble(value); }
    }

    private static string Describe(ItemKind kind) => kind switch
    {
        ItemKind.Integer or ItemKind.Float => "a number",
        ItemKind.Text => "a text",
        ItemKind.Boolean => "a Boolean value",
        ItemKind.Bytes => "a byte string",
        ItemKind.Array => "an array",
        ItemKind.Map => "a map",
        ItemKind.Null => "null",
        ItemKind.Timestamp => "a time",
        ItemKind.End => "missing",
        _ => "a tagged item or a simple value",
    };
}
