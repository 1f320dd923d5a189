using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Xml;
using System.Xml.Serialization;

namespace CoAP.Formats;

/// <summary>
/// XML (application/xml, Content-Format 41) by <see cref="XmlSerializer"/>, for existing schemas with attributes and namespaces. Uses reflection.
/// </summary>
/// <remarks>
/// The serializer has no limit for the number of items. A payload that is long enough to exceed <see cref="PayloadLimits.MaxCount"/> is scanned
/// first. Payloads must be UTF-8. DTDs and processing instructions are refused, and so are start tags of more than 4,096 bytes; entities other than
/// the five of XML are therefore unknown. Immutable. Safe for concurrent use.
/// </remarks>
[RequiresUnreferencedCode("XmlSerializer uses reflection over the members of the types. Use JsonFormat or CborFormat if the application is trimmed.")]
[RequiresDynamicCode("XmlSerializer creates code at run time. Use JsonFormat or CborFormat with native compilation.")]
public sealed class XmlSerializerFormat : IPayloadFormat
{
    private const uint Xml = 41;
    private const int ShortestElement = 4;      // <a/>

    private readonly ConcurrentDictionary<Type, XmlSerializer> _serializers = [];
    private readonly ConcurrentDictionary<Type, bool> _sets = [];
    private readonly HashSet<Type> _types;
    private readonly XmlDictionaryReaderQuotas _quotas;

    /// <summary>Creates a format.</summary>
    /// <param name="types">The types that the format converts.</param>
    /// <param name="limits">The bounds of what a received payload may cost.</param>
    public XmlSerializerFormat(IEnumerable<Type> types, PayloadLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(types);
        _types = [.. types];
        Limits = limits ?? PayloadLimits.Default;
        _quotas = XmlQuotas.Create(Limits, Limits.MaxDepth, Limits.MaxLength);
    }

    /// <summary>The bounds of what a received payload may cost.</summary>
    public PayloadLimits Limits { get; }

    /// <inheritdoc/>
    public uint ContentFormat => Xml;

    /// <inheritdoc/>
    public string Name => "XML";

    /// <inheritdoc/>
    public bool Handles(Type type) => _types.Contains(type);

    /// <inheritdoc/>
    public void Write<T>(IBufferWriter<byte> output, T value)
    {
        ArgumentNullException.ThrowIfNull(output);
        using var stream = new BufferStream { Output = output };
        using var writer = XmlDictionaryWriter.CreateTextWriter(stream, Encoding.UTF8, ownsStream: false);
        SerializerOf(typeof(T)).Serialize(writer, value);
        writer.Flush();
    }

    /// <inheritdoc/>
    public T Read<T>(ReadOnlyMemory<byte> payload)
    {
        Limits.CheckSize(payload.Length);
        var serializer = SerializerOf(typeof(T));
        XmlTags.Check(payload.Span, XmlQuotas.MaxTagSize, mostAttributes: XmlQuotas.MaxTagSize);
        var bytes = payload.ToArray();
        try
        {
            var most = _sets.GetOrAdd(typeof(T), XmlSets.Has) ? Limits.OfForeseeableKeys().MaxCount : Limits.MaxCount;
            if (bytes.Length / ShortestElement > most || Limits.IsTooMuch(bytes.Length / ShortestElement)) { CheckCounts(bytes, most); }
            using var reader = Open(bytes);
            return serializer.Deserialize(reader) is T value ? value : throw new CoapPayloadException("The XML is null; a value is required.");
        }
        catch (Exception exception) when (XmlErrors.IsOfPayload(exception))
        {
            // XmlSerializer wraps the cause in an InvalidOperationException.
            var cause = exception is InvalidOperationException && exception.InnerException is XmlException inner ? inner : exception;
            throw new CoapPayloadException($"{XmlErrors.Describe(cause, Limits)}.", null, exception);
        }
    }

    private XmlSerializer SerializerOf(Type type) => _types.Contains(type)
        ? _serializers.GetOrAdd(type, static one => new XmlSerializer(one))
        : throw new NotSupportedException($"The XML format has not been created with {type}.");

    private XmlDictionaryReader Open(byte[] bytes)
    {
        try { return XmlDictionaryReader.CreateTextReader(bytes, 0, bytes.Length, Encoding.UTF8, _quotas, null); }
        catch (IndexOutOfRangeException exception) { throw XmlErrors.OfDeclaration(exception); }
    }

    private void CheckCounts(byte[] bytes, int most)
    {
        using var reader = Open(bytes);
        var counts = new int[Limits.MaxDepth + 2];
        var elements = 0L;
        while (reader.Read())
        {
            if (reader.NodeType != XmlNodeType.Element) { continue; }
            if (Limits.IsTooMuch(++elements)) { throw Limits.TooMuchMemory(0); }
            counts[reader.Depth + 1] = 0;
            if (++counts[reader.Depth] > most)
            {
                throw new CoapPayloadException($"An element has more than {most} children; at most {most} are allowed.");
            }
        }
    }
}
