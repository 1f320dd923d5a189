using CoAP.FormatComparison.Model;
using Google.Protobuf;
using Nerdbank.MessagePack;

namespace CoAP.FormatComparison.Formats;

/// <summary>All formats with the same limits.</summary>
internal sealed class FormatSet(PayloadLimits limits)
{
    // Before the two sets, which use it.
    private static readonly ComparisonContracts Contracts = new();

    /// <summary>The formats as an application gets them.</summary>
    public static FormatSet Default { get; } = new(PayloadLimits.Default);

    /// <summary>The formats with the highest limits that they allow.</summary>
    public static FormatSet Raised { get; } = new(
        new PayloadLimits
        {
            MaxDepth = 1000,
            MaxSize = int.MaxValue,
            MaxCount = int.MaxValue,
            MaxLength = int.MaxValue,
            MaxMemory = int.MaxValue,
        });

    public CborFormat Cbor { get; } = new(Contracts, limits);

    public MessagePackFormat MessagePack { get; } =
        new(ComparisonShapes.GeneratedTypeShapeProvider, limits, serializer: new MessagePackSerializer { Converters = [new DatumPacker()] });

    public JsonFormat Json { get; } = new(ComparisonJson.Default, limits);

    public XmlSerializerFormat Xml { get; } = new([typeof(int[]), typeof(XmlTree), typeof(XmlList)], limits);

    /// <summary>Returns a value of the model in each format that needs no schema.</summary>
    public IReadOnlyList<Case> Of(Datum value) =>
    [
        .. Of(value, other => other is Datum datum && value.Matches(datum)),
        new Case<XmlList>(FormatNames.Xml, Xml, XmlList.Of((ListDatum)value), other => other is XmlList list && value.Matches(list.ToDatum())),
    ];

    /// <inheritdoc cref="Of(Datum)"/>
    public IReadOnlyList<Case> Of(IntTree value)
    {
        Func<object, bool> matches = other => other is IntTree tree && value.Matches(tree);
        return
        [
            .. Of(value, matches),
            new Case<IntTree>(FormatNames.MessagePackForCSharp, new MessagePackForCSharp<IntTree>(), value, matches),
            new Case<IntTree>(FormatNames.ProtobufNet, new ProtobufNet<IntTree>(), value, matches),
            new Case<XmlTree>(FormatNames.Xml, Xml, XmlTree.Of(value), other => other is XmlTree tree && value.Matches(tree.ToTree())),
        ];
    }

    /// <inheritdoc cref="Of(Datum)"/>
    public IReadOnlyList<Case> Of(int[] values, Func<object, bool> matches) =>
    [
        .. Of<int[]>(values, matches),
        new Case<int[]>(FormatNames.MessagePackForCSharp, new MessagePackForCSharp<int[]>(), values, matches),
        new Case<IntMessage>(FormatNames.ProtobufNet, new ProtobufNet<IntMessage>(), new IntMessage { Values = values }, matches),
        new Case<int[]>(FormatNames.Xml, Xml, values, matches),
    ];

    /// <summary>Returns a message in Protobuf.</summary>
    public Case Protobuf<T>(string name, T message, MessageParser<T> parser, Func<T, bool> matches)
        where T : class, IMessage<T> => new Case<T>(name, new ProtobufFormat<T>(parser, limits), message, other => other is T read && matches(read));

    private IReadOnlyList<Case<T>> Of<T>(T value, Func<object, bool> matches)
        where T : notnull =>
    [
        new(FormatNames.Cbor, Cbor, value, matches),
        new(FormatNames.MessagePack, MessagePack, value, matches),
        new(FormatNames.Json, Json, value, matches),
    ];
}
