using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Schemas;

/// <summary>Creates Protobuf messages from values of the model, and the values of the model from messages.</summary>
/// <remarks>The messages are the objects that an application with Protobuf works with, so these conversions are not measured.</remarks>
internal static class ProtobufMessages
{
    public static TreeMessage ToTree(IntTree tree)
    {
        var message = new TreeMessage { Value = tree.Value };
        message.Children.AddRange(tree.Children.Select(ToTree));
        return message;
    }

    public static IntTree FromTree(TreeMessage message) => new(message.Value, [.. message.Children.Select(FromTree)]);

    /// <summary>Lists in lists of integers of 32 bits.</summary>
    public static BranchMessage ToBranch(Datum list)
    {
        var message = new BranchMessage();
        foreach (var item in ((ListDatum)list).Items)
        {
            if (item is Int32Datum number) { message.Values.Add(number.Value); }
            else { message.Branches.Add(ToBranch(item)); }
        }
        return message;
    }

    public static Datum FromBranch(BranchMessage message) =>
        new ListDatum([.. message.Branches.Select(FromBranch), .. message.Values.Select(static value => new Int32Datum(value))]);

    public static FigureList ToFigure(Datum list)
    {
        var message = new FigureList();
        message.Elements.AddRange(((ListDatum)list).Items.Select(static item => item switch
        {
            Int32Datum number => new FigureElement { Int32 = number.Value },
            SingleDatum number => new FigureElement { Single = number.Value },
            TextDatum text => new FigureElement { Text = text.Value },
            PairDatum { Value: BooleanDatum flag } pair => new FigureElement { Pair = new() { Key = pair.Key, Boolean = flag.Value } },
            PairDatum { Value: DoubleDatum number } pair => new FigureElement { Pair = new() { Key = pair.Key, Double = number.Value } },
            _ => throw new ArgumentException($"{item.GetType().Name} does not occur in figure 1."),
        }));
        return message;
    }

    public static Datum FromFigure(FigureList message) => new ListDatum([.. message.Elements.Select(static Datum (element) => element.KindCase switch
    {
        FigureElement.KindOneofCase.Int32 => new Int32Datum(element.Int32),
        FigureElement.KindOneofCase.Single => new SingleDatum(element.Single),
        FigureElement.KindOneofCase.Text => new TextDatum(element.Text),
        _ when element.Pair.HasBoolean => new PairDatum(element.Pair.Key, new BooleanDatum(element.Pair.Boolean)),
        _ => new PairDatum(element.Pair.Key, new DoubleDatum(element.Pair.Double)),
    })]);

    /// <summary>A list of primitives. If all have the same type, they go into the packed field of this type.</summary>
    public static PrimitiveList ToPrimitives(Datum list)
    {
        var items = ((ListDatum)list).Items;
        var isMixed = items.Any(item => item.GetType() != items[0].GetType());
        var message = new PrimitiveList();
        foreach (var item in items)
        {
            switch (item)
            {
                case var _ when isMixed: message.Mixed.Add(ToGeneric(item)); break;
                case BooleanDatum flag: message.Booleans.Add(flag.Value); break;
                case Int32Datum number: message.Int32S.Add(number.Value); break;
                case Int64Datum number: message.Int64S.Add(number.Value); break;
                case SingleDatum number: message.Singles.Add(number.Value); break;
                case DoubleDatum number: message.Doubles.Add(number.Value); break;
                case TextDatum text: message.Texts.Add(text.Value); break;
            }
        }
        return message;
    }

    public static Datum FromPrimitives(PrimitiveList message) => new ListDatum(
    [
        .. message.Booleans.Select(static value => new BooleanDatum(value)),
        .. message.Int32S.Select(static value => new Int32Datum(value)),
        .. message.Int64S.Select(static value => new Int64Datum(value)),
        .. message.Singles.Select(static value => new SingleDatum(value)),
        .. message.Doubles.Select(static value => new DoubleDatum(value)),
        .. message.Texts.Select(static value => new TextDatum(value)),
        .. message.Mixed.Select(FromGeneric),
    ]);

    public static GenericValue ToGeneric(Datum datum)
    {
        switch (datum)
        {
            case BooleanDatum flag: return new() { Boolean = flag.Value };
            case Int32Datum number: return new() { Int32 = number.Value };
            case Int64Datum number: return new() { Int64 = number.Value };
            case SingleDatum number: return new() { Single = number.Value };
            case DoubleDatum number: return new() { Double = number.Value };
            case TextDatum text: return new() { Text = text.Value };
            case PairDatum pair: return new() { Pair = new() { Key = pair.Key, Value = ToGeneric(pair.Value) } };
            default:
                var list = new GenericList();
                list.Items.AddRange(((ListDatum)datum).Items.Select(ToGeneric));
                return new() { List = list };
        }
    }

    public static Datum FromGeneric(GenericValue message) => message.KindCase switch
    {
        GenericValue.KindOneofCase.Boolean => new BooleanDatum(message.Boolean),
        GenericValue.KindOneofCase.Int32 => new Int32Datum(message.Int32),
        GenericValue.KindOneofCase.Int64 => new Int64Datum(message.Int64),
        GenericValue.KindOneofCase.Single => new SingleDatum(message.Single),
        GenericValue.KindOneofCase.Double => new DoubleDatum(message.Double),
        GenericValue.KindOneofCase.Text => new TextDatum(message.Text),
        GenericValue.KindOneofCase.Pair => new PairDatum(message.Pair.Key, FromGeneric(message.Pair.Value)),
        _ => new ListDatum([.. message.List.Items.Select(FromGeneric)]),
    };

    /// <summary>The integer tree in the generic schema: a list of the integer and of the list of children.</summary>
    public static GenericValue ToGeneric(IntTree tree)
    {
        var children = new GenericList();
        children.Items.AddRange(tree.Children.Select(ToGeneric));
        var node = new GenericList();
        node.Items.Add(new GenericValue { Int32 = tree.Value });
        node.Items.Add(new GenericValue { List = children });
        return new() { List = node };
    }

    public static IntTree ToTree(GenericValue message) => new(message.List.Items[0].Int32, [.. message.List.Items[1].List.Items.Select(ToTree)]);
}
