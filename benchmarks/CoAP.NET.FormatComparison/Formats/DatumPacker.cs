using CoAP.FormatComparison.Model;
using Nerdbank.MessagePack;
using PolyType;

namespace CoAP.FormatComparison.Formats;

/// <summary>The types of the comparison in MessagePack.</summary>
[GenerateShapeFor<int[]>]
[GenerateShapeFor<IntTree>]
[GenerateShapeFor<Datum>]
internal sealed partial class ComparisonShapes;

/// <summary>Values of the model in MessagePack. A pair is a map with one entry.</summary>
internal sealed class DatumPacker : MessagePackConverter<Datum>
{
    public override void Write(ref MessagePackWriter writer, in Datum? value, SerializationContext context)
    {
        context.DepthStep();
        switch (value)
        {
            case BooleanDatum flag: writer.Write(flag.Value); break;
            case Int32Datum number: writer.Write(number.Value); break;
            case Int64Datum number: writer.Write(number.Value); break;
            case SingleDatum number: writer.Write(number.Value); break;
            case DoubleDatum number: writer.Write(number.Value); break;
            case TextDatum text: writer.Write(text.Value); break;
            case PairDatum pair:
                writer.WriteMapHeader(1);
                writer.Write(pair.Key);
                Write(ref writer, pair.Value, context);
                break;
            case ListDatum list:
                writer.WriteArrayHeader(list.Items.Length);
                foreach (var item in list.Items) { Write(ref writer, item, context); }
                break;
        }
    }

    public override Datum? Read(ref MessagePackReader reader, SerializationContext context)
    {
        context.DepthStep();
        return reader.NextMessagePackType switch
        {
            MessagePackType.Boolean => new BooleanDatum(reader.ReadBoolean()),
            MessagePackType.Integer => Numbers.FromInteger(reader.ReadInt64()),
            MessagePackType.Float => new DoubleDatum(reader.ReadDouble()),
            MessagePackType.String => new TextDatum(reader.ReadString()!),
            MessagePackType.Array => ReadList(ref reader, context),
            MessagePackType.Map when reader.ReadMapHeader() == 1 => new PairDatum(reader.ReadString()!, Read(ref reader, context)!),
            var type => throw new MessagePackSerializationException($"The model has no {type}."),
        };
    }

    private ListDatum ReadList(ref MessagePackReader reader, SerializationContext context)
    {
        var items = new Datum[reader.ReadArrayHeader()];
        for (var at = 0; at < items.Length; at++) { items[at] = Read(ref reader, context)!; }
        return new ListDatum(items);
    }
}
