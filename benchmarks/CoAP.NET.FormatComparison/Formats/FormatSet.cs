using CoAP.FormatComparison.Model;
using Google.Protobuf;

namespace CoAP.FormatComparison.Formats;

/// <summary>All formats with the same limits.</summary>
internal sealed class FormatSet(PayloadLimits limits)
{
    // Before the two sets, which use it.
    private static readonly ComparisonContracts Contracts = new();

    // The contract cannot read values of unknown types from XML, because XML has no types: here, the name of an element tells the type.
    private readonly XmlDatumFormat _xmlDatum = new(limits);

    /// <summary>The formats as an application gets them.</summary>
    public static FormatSet Default { get; } = new(PayloadLimits.Default);

    /// <summary>The formats with the highest limits that they allow.</summary>
    public static FormatSet Raised { get; } = new(
        new PayloadLimits { MaxDepth = 1000, MaxSize = int.MaxValue, MaxCount = int.MaxValue, MaxLength = int.MaxValue });

    public ItemFormat Cbor { get; } = new CborFormat(Contracts, limits);

    public ItemFormat MessagePack { get; } = new MessagePackFormat(Contracts, limits);

    public JsonFormat Json { get; } = new(ComparisonJson.Default, limits);

    public XmlFormat Xml { get; } = new(Contracts, limits);

    /// <summary>Returns a value of the model in each format that needs no schema.</summary>
    public IReadOnlyList<Case> Of(Datum value) => Of(value, other => other is Datum datum && value.Matches(datum), _xmlDatum);

    /// <inheritdoc cref="Of(Datum)"/>
    public IReadOnlyList<Case> Of(IntTree value) => Of(value, other => other is IntTree tree && value.Matches(tree), Xml);

    /// <inheritdoc cref="Of(Datum)"/>
    public IReadOnlyList<Case> Of(int[] values, Func<object, bool> matches) => Of(values, matches, Xml);

    /// <summary>Returns a message in Protobuf.</summary>
    public Case Protobuf<T>(string name, T message, MessageParser<T> parser, Func<T, bool> matches)
        where T : class, IMessage<T> => new Case<T>(name, new ProtobufFormat<T>(parser, limits), message, other => other is T read && matches(read));

    private IReadOnlyList<Case<T>> Of<T>(T value, Func<object, bool> matches, IPayloadFormat xml)
        where T : notnull =>
    [
        new(FormatNames.Cbor, Cbor, value, matches),
        new(FormatNames.MessagePack, MessagePack, value, matches),
        new(FormatNames.Json, Json, value, matches),
        new(FormatNames.Xml, xml, value, matches),
    ];
}
