using System.Buffers;
using System.Xml;

namespace CoAP.Formats;

/// <summary>XML (application/xml, Content-Format 41) by System.Xml, with the same contracts as CBOR. Needs no reflection.</summary>
/// <remarks>
/// <para>The mapping: a value is the text or the content of an element. The root is <c>&lt;value&gt;</c>, or the name that the constructor gets; any
/// name is read. The items of an array are elements <c>&lt;item&gt;</c>; any names are read. The entries of a map are elements named by their keys: a
/// text that is not a name is encoded as by <see cref="XmlConvert.EncodeLocalName"/>, the integer 7 becomes <c>&lt;_7&gt;</c>. Numbers, Booleans and
/// times have the form of XML Schema, bytes are Base64, and null is the attribute <c>xsi:nil</c>. Other attributes are ignored.</para>
/// <para>XML has no types, so the contract decides how an element is read. <see cref="ItemReader.Peek"/> can only guess: an element whose first child
/// is <c>&lt;item&gt;</c> is an array, an element with another first child is a map, and an empty element is a text.</para>
/// <para>Payloads must be UTF-8. DTDs and processing instructions are refused, and so are start tags of more than 4,096 bytes; entities other than
/// the five of XML are therefore unknown. Immutable. Safe for concurrent use.</para>
/// </remarks>
public sealed class XmlFormat : IPayloadFormat
{
    internal const string DefaultRoot = "value";

    private const uint Xml = 41;

    [ThreadStatic]
    private static XmlItemReader? _reader;

    [ThreadStatic]
    private static XmlItemWriter? _writer;

    /// <summary>Creates a format.</summary>
    /// <param name="contracts">The contracts of the types that the format can convert.</param>
    /// <param name="limits">The bounds of what a received payload may cost.</param>
    /// <param name="root">The name of the root element that is written.</param>
    /// <exception cref="ArgumentException">The root is not an XML name without a prefix.</exception>
    public XmlFormat(PayloadContracts contracts, PayloadLimits? limits = null, string root = DefaultRoot)
    {
        ArgumentNullException.ThrowIfNull(contracts);
        ArgumentException.ThrowIfNullOrEmpty(root);
        try { Root = XmlConvert.VerifyNCName(root); }
        catch (XmlException exception) { throw new ArgumentException($"'{root}' is not the name of an XML element.", nameof(root), exception); }
        Contracts = contracts;
        Limits = limits ?? PayloadLimits.Default;
    }

    /// <summary>The contracts of the types that the format can convert.</summary>
    public PayloadContracts Contracts { get; }

    /// <summary>The bounds of what a received payload may cost.</summary>
    public PayloadLimits Limits { get; }

    /// <summary>The name of the root element that is written. Default: "value".</summary>
    public string Root { get; }

    /// <inheritdoc/>
    public uint ContentFormat => Xml;

    /// <inheritdoc/>
    public string Name => "XML";

    /// <inheritdoc/>
    public bool Handles(Type type) => Contracts.Handles(type);

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">There is no contract for the type.</exception>
    /// <exception cref="ArgumentException">A text contains a character that XML cannot carry.</exception>
    public void Write<T>(IBufferWriter<byte> output, T value)
    {
        ArgumentNullException.ThrowIfNull(output);
        var contract = ContractOf<T>();
        var writer = _writer ?? new XmlItemWriter();
        _writer = null;
        writer.Root = Root;
        writer.Reset(output);
        contract.Write(writer, value);
        writer.Flush();
        writer.Release();
        _writer = writer;       // A writer that has thrown is not reused.
    }

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">There is no contract for the type.</exception>
    public T Read<T>(ReadOnlyMemory<byte> payload)
    {
        var contract = ContractOf<T>();
        Limits.CheckSize(payload.Length);
        var reader = TakeReader();
        try
        {
            reader.Reset(payload, Limits);
            var value = contract.Read(reader);
            reader.ReadEnd();
            return value;
        }
        catch (Exception exception) when (XmlErrors.IsOfPayload(exception)) { throw reader.ErrorOf(exception); }
        finally { Return(reader); }
    }

    /// <summary>Reads the children of the root element from a stream, one by one. Keeps only one item in memory.</summary>
    /// <remarks>
    /// The limits apply to each item. The number of items and the length of the stream are not limited. The stream is not closed.
    /// </remarks>
    /// <exception cref="CoapPayloadException">The stream is not XML with such elements. Thrown when the error is reached.</exception>
    /// <exception cref="NotSupportedException">There is no contract for <typeparamref name="T"/>.</exception>
    public IEnumerable<T> ReadItems<T>(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        var contract = ContractOf<T>();
        return TextArrayStreams.Read(stream, () => new XmlItemSource<T>(contract, Limits));
    }

    /// <inheritdoc cref="ReadItems"/>
    public IAsyncEnumerable<T> ReadItemsAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        var contract = ContractOf<T>();
        return TextArrayStreams.ReadAsync(stream, () => new XmlItemSource<T>(contract, Limits), cancellationToken);
    }

    /// <summary>Writes items as elements to a stream, in pieces of 64 KiB. The stream is not closed.</summary>
    /// <exception cref="NotSupportedException">There is no contract for <typeparamref name="T"/>.</exception>
    public void WriteItems<T>(Stream stream, IEnumerable<T> items)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(items);
        TextArrayStreams.Write(stream, items, new XmlItemSink<T>(ContractOf<T>(), Root));
    }

    /// <inheritdoc cref="WriteItems"/>
    public ValueTask WriteItemsAsync<T>(Stream stream, IEnumerable<T> items, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(items);
        return TextArrayStreams.WriteAsync(stream, items, new XmlItemSink<T>(ContractOf<T>(), Root), cancellationToken);
    }

    /// <inheritdoc cref="WriteItems"/>
    public ValueTask WriteItemsAsync<T>(Stream stream, IAsyncEnumerable<T> items, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(items);
        return TextArrayStreams.WriteAsync(stream, items, new XmlItemSink<T>(ContractOf<T>(), Root), cancellationToken);
    }

    /// <summary>Takes a reader, which keeps its buffers between documents.</summary>
    internal static XmlItemReader TakeReader()
    {
        var reader = _reader ?? new XmlItemReader();
        _reader = null;
        return reader;
    }

    /// <summary>Returns a reader for the next document.</summary>
    internal static void Return(XmlItemReader reader)
    {
        if (!reader.IsReusable) { return; }
        reader.Release();
        _reader = reader;
    }

    private PayloadContract<T> ContractOf<T>() => Contracts.Find<T>() ?? throw new NotSupportedException(
        $"The XML format has no contract for {typeof(T)}. Add [PayloadContract(typeof({typeof(T).Name}))] to {Contracts.GetType()}.");
}
