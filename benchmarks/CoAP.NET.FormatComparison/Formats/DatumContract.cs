using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Formats;

/// <summary>Values of the model as items. A pair is a map with one entry.</summary>
internal sealed class DatumContract : PayloadContract<Datum>
{
    public override void Write(CborWriter writer, Datum value)
    {
        switch (value)
        {
            case BooleanDatum flag: writer.WriteBoolean(flag.Value); break;
            case Int32Datum number: writer.WriteInt64(number.Value); break;
            case Int64Datum number: writer.WriteInt64(number.Value); break;
            case SingleDatum number: writer.WriteSingle(number.Value); break;
            case DoubleDatum number: writer.WriteDouble(number.Value); break;
            case TextDatum text: writer.WriteText(text.Value); break;
            case PairDatum pair:
                writer.WriteMapStart(1);
                writer.WriteText(pair.Key);
                Write(writer, pair.Value);
                break;
            case ListDatum list:
                writer.WriteArrayStart(list.Items.Length);
                foreach (var item in list.Items) { Write(writer, item); }
                break;
        }
    }

    public override Datum Read(CborReader reader) => reader.Peek() switch
    {
        ItemKind.Boolean => new BooleanDatum(reader.ReadBoolean()),
        ItemKind.Integer => Numbers.FromInteger(reader.ReadInt64()),
        ItemKind.Float => new DoubleDatum(reader.ReadDouble()),
        ItemKind.Text => new TextDatum(reader.ReadText()),
        ItemKind.Array => ReadList(reader),
        ItemKind.Map => ReadPair(reader),
        var kind => throw reader.Error($"The item has the kind {kind}, which the model does not have"),
    };

    private ListDatum ReadList(CborReader reader)
    {
        var items = new List<Datum>(reader.ReadArrayStart() ?? 0);
        while (reader.MoveNext()) { items.Add(Read(reader)); }
        return new ListDatum([.. items]);
    }

    private PairDatum ReadPair(CborReader reader)
    {
        if (reader.ReadMapStart() is not 1 || !reader.MoveNext()) { throw reader.Error("A pair is a map with one entry"); }
        var pair = new PairDatum(reader.ReadText(), Read(reader));
        return reader.MoveNext() ? throw reader.Error("A pair is a map with one entry") : pair;
    }
}
