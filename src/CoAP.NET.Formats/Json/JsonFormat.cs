using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace CoAP.Formats;

/// <summary>JSON (application/json, Content-Format 50, RFC 8259) by System.Text.Json. Needs no reflection with a source-generated context.</summary>
/// <remarks>
/// <para>Reading is strict: comments, trailing commas, members that occur twice, invalid UTF-8 and bytes after the value are errors, whatever
/// the options say. A byte order mark at the start is ignored. A payload of <c>null</c> is an error unless the type is a nullable value
/// type.</para>
/// <para>Names that the type does not have are skipped, also if one occurs twice: the value is the same whichever of them another reader
/// takes, and a table of all names would cost time and memory for each payload. To refuse them, set
/// <see cref="JsonSerializerOptions.UnmappedMemberHandling"/>.</para>
/// <para><see cref="PayloadLimits.MaxLength"/> applies to texts as they are in the payload, with escape sequences. Immutable. Safe for concurrent
/// use.</para>
/// </remarks>
public sealed class JsonFormat : IPayloadFormat
{
    /// <summary>The deepest value that is written.</summary>
    internal const int MostLevels = 1000;

    private const uint Json = 50;

    [ThreadStatic]
    private static (JsonFormat Owner, Utf8JsonWriter Writer)? _cached;

    private readonly ConcurrentDictionary<Type, JsonTypeInfo?> _types = [];
    private readonly ConcurrentDictionary<Type, PayloadLimits> _limits = [];
    private readonly JsonSerializerOptions _options, _reading;
    private readonly JsonWriterOptions _writing;

    /// <summary>Creates a format for the types of a source-generated context, or of another resolver.</summary>
    /// <remarks>
    /// When a payload is read, null is refused where the type does not allow it, and so is an object that lacks a member whose parameter in the
    /// constructor has no default value. To read such payloads, pass the options of the context, such as <c>DeviceJson.Default.Options</c>.
    /// </remarks>
    /// <param name="resolver">The context, such as <c>DeviceJson.Default</c>. The other options of a context are kept.</param>
    /// <param name="limits">The bounds of what a received payload may cost.</param>
    public JsonFormat(IJsonTypeInfoResolver resolver, PayloadLimits? limits = null)
        : this(JsonStrictness.Writing(resolver), JsonStrictness.Reading(resolver), limits)
    {
    }

    /// <summary>Creates a format with options of System.Text.Json. They are copied.</summary>
    /// <param name="options">The options. They need a <see cref="JsonSerializerOptions.TypeInfoResolver"/>; reflection is only used if it uses
    /// reflection.</param>
    /// <param name="limits">The bounds of what a received payload may cost. They replace <see cref="JsonSerializerOptions.MaxDepth"/>.</param>
    /// <exception cref="ArgumentException">The options have no resolver.</exception>
    public JsonFormat(JsonSerializerOptions options, PayloadLimits? limits = null)
        : this(options, JsonStrictness.Seeded(options), limits)
    {
    }

    private JsonFormat(JsonSerializerOptions options, JsonSerializerOptions reading, PayloadLimits? limits)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.TypeInfoResolver is null)
        {
            throw new ArgumentException("The options have no TypeInfoResolver. Set it to a source-generated context, or use JsonFormat.WithReflection.",
                nameof(options));
        }
        Limits = limits ?? PayloadLimits.Default;
        _options = Strict(options, Limits);
        _reading = Strict(reading, Limits);
        _writing = new JsonWriterOptions
        {
            Encoder = options.Encoder,
            Indented = options.WriteIndented,
            MaxDepth = MostLevels,
            SkipValidation = true,
        };
    }

    /// <summary>The bounds of what a received payload may cost.</summary>
    public PayloadLimits Limits { get; }

    /// <inheritdoc/>
    public uint ContentFormat => Json;

    /// <inheritdoc/>
    public string Name => "JSON";

    /// <summary>Creates a format for all types that System.Text.Json can convert, by reflection.</summary>
    /// <param name="options">Options, such as the naming policy. They are copied. Without options, the format is as strict as with a context.</param>
    /// <param name="limits">The bounds of what a received payload may cost.</param>
    [RequiresUnreferencedCode("Uses reflection over the members of the types. Use a source-generated context if the application is trimmed.")]
    [RequiresDynamicCode("Creates converters at run time. Use a source-generated context with native compilation.")]
    public static JsonFormat WithReflection(JsonSerializerOptions? options = null, PayloadLimits? limits = null) =>
        options is null
            ? new(new DefaultJsonTypeInfoResolver(), limits)
            : new(new JsonSerializerOptions(options) { TypeInfoResolver = new DefaultJsonTypeInfoResolver() }, limits);

    /// <inheritdoc/>
    public bool Handles(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (_types.TryGetValue(type, out var found)) { return found is not null; }
        try { return Find(type) is not null; }
        catch (Exception exception) when (exception is InvalidOperationException or NotSupportedException)
        {
            return true;    // The type is known, but its metadata is wrong. Reading and writing report why.
        }
    }

    /// <inheritdoc/>
    /// <exception cref="ArgumentException">The value contains a number that JSON does not have, or too many levels, for example because it contains
    /// itself.</exception>
    /// <exception cref="NotSupportedException">The context has no such type.</exception>
    public void Write<T>(IBufferWriter<byte> output, T value)
    {
        ArgumentNullException.ThrowIfNull(output);
        var type = TypeOf<T>();
        var writer = TakeWriter(output);
        try { JsonSerializer.Serialize(writer, value, type); }
        catch (Exception exception) when (JsonErrors.TryDescribe(exception, writer.CurrentDepth, out var what))
        {
            throw new ArgumentException($"The {typeof(T).Name} cannot be written as JSON: {what}.", nameof(value), exception);
        }
        writer.Flush();
        writer.Reset(EmptyOutput.Instance);
        _cached = (this, writer);       // A writer that has thrown is not reused.
    }

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">The context has no such type.</exception>
    public T Read<T>(ReadOnlyMemory<byte> payload)
    {
        Limits.CheckSize(payload.Length);
        var mark = ByteOrderMark.LengthIn(payload.Span);
        return Read(payload.Span[mark..], ReadingTypeOf<T>(), origin: mark);
    }

    /// <summary>Reads the items of a JSON array from a stream, one by one. Keeps only one item in memory.</summary>
    /// <remarks>
    /// The limits apply to each item. The number of items and the length of the stream are not limited. The stream is not closed.
    /// </remarks>
    /// <exception cref="CoapPayloadException">The stream is not a JSON array of such items. Thrown when the error is reached.</exception>
    /// <exception cref="NotSupportedException">The context has no such type.</exception>
    public IEnumerable<T> ReadItems<T>(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        var type = ReadingTypeOf<T>();
        return JsonStreams.Read(stream, () => new JsonItemSource<T>(this, type));
    }

    /// <inheritdoc cref="ReadItems"/>
    public IAsyncEnumerable<T> ReadItemsAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        var type = ReadingTypeOf<T>();
        return JsonStreams.ReadAsync(stream, () => new JsonItemSource<T>(this, type), cancellationToken);
    }

    /// <summary>Writes items as a JSON array to a stream, in pieces of 64 KiB. The stream is not closed.</summary>
    /// <exception cref="NotSupportedException">The context has no such type.</exception>
    public void WriteItems<T>(Stream stream, IEnumerable<T> items)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(items);
        JsonStreams.Write(stream, items, new JsonItemSink<T>(TypeOf<T>(), _writing));
    }

    /// <inheritdoc cref="WriteItems"/>
    public ValueTask WriteItemsAsync<T>(Stream stream, IEnumerable<T> items, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(items);
        return JsonStreams.WriteAsync(stream, items, new JsonItemSink<T>(TypeOf<T>(), _writing), cancellationToken);
    }

    /// <inheritdoc cref="WriteItems"/>
    public ValueTask WriteItemsAsync<T>(Stream stream, IAsyncEnumerable<T> items, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(items);
        return JsonStreams.WriteAsync(stream, items, new JsonItemSink<T>(TypeOf<T>(), _writing), cancellationToken);
    }

    /// <summary>Reads one value.</summary>
    /// <remarks>The origin is the offset of the value in its stream, for error messages.</remarks>
    internal T Read<T>(ReadOnlySpan<byte> payload, JsonTypeInfo<T> type, long origin)
    {
        JsonScan.Check(payload, LimitsOf(type), origin);
        T? value;
        try { value = JsonSerializer.Deserialize(payload, type); }
        catch (Exception exception) when (JsonErrors.IsOfPayload(exception))
        {
            throw JsonErrors.Convert(exception, payload, Limits.MaxDepth, origin);
        }
        if (value is null && !typeof(T).IsValueType)
        {
            throw new CoapPayloadException($"The JSON value is null; a value is required (at byte {origin}).", origin);
        }
        if (JsonScan.HasLargeNumber(payload)) { CheckNumbers(value!, origin); }
        return value!;
    }

    // System.Text.Json reads a number beyond the range of its type as infinity, which it cannot write: the value would fail later, at another client.
    private void CheckNumbers<T>(T value, long origin)
    {
        using var writer = new Utf8JsonWriter(Stream.Null, _writing);
        try { JsonSerializer.Serialize(writer, value, TypeOf<T>()); }
        catch (Exception exception) when (JsonErrors.IsOfPayload(exception))
        {
            // What else a value refuses when it is written is not the fault of the payload.
            if (exception is not ArgumentException || !JsonErrors.TryDescribe(exception, depth: 0, out _)) { return; }
            throw new CoapPayloadException($"A number is too large for the expected type, in the JSON value (at byte {origin}).", origin, exception);
        }
    }

    private static JsonSerializerOptions Strict(JsonSerializerOptions options, PayloadLimits limits)
    {
        var strict = new JsonSerializerOptions(options)
        {
            MaxDepth = limits.MaxDepth,
            AllowTrailingCommas = false,
            ReadCommentHandling = JsonCommentHandling.Disallow,
            AllowDuplicateProperties = false,
        };
        strict.MakeReadOnly();
        return strict;
    }

    private JsonTypeInfo? Find(Type type)
    {
        if (type.IsPointer || type.IsByRef || type.IsByRefLike || type.ContainsGenericParameters || type == typeof(void)) { return null; }
        if (_types.TryGetValue(type, out var found)) { return found; }
        // The options always have metadata for object, with which objects are written and never read.
        var isKnown = type != typeof(object) || _options.TypeInfoResolver!.GetTypeInfo(type, _options) is not null;
        return _types.GetOrAdd(type, isKnown && _options.TryGetTypeInfo(type, out var info) ? info : null);
    }

    private JsonTypeInfo<T> TypeOf<T>() => Find(typeof(T)) as JsonTypeInfo<T> ?? throw new NotSupportedException(
        $"The JSON format has no metadata for {typeof(T)}. Add [JsonSerializable(typeof({typeof(T).Name}))] to the JsonSerializerContext.");

    private JsonTypeInfo<T> ReadingTypeOf<T>()
    {
        _ = TypeOf<T>();        // says which types are missing
        return (JsonTypeInfo<T>)_reading.GetTypeInfo(typeof(T));
    }

    private PayloadLimits LimitsOf(JsonTypeInfo type) => _limits.TryGetValue(type.Type, out var limits)
        ? limits
        : _limits.GetOrAdd(type.Type, JsonTables.IsForeseeable(type) ? Limits.OfForeseeableKeys() : Limits);

    private Utf8JsonWriter TakeWriter(IBufferWriter<byte> output)
    {
        if (_cached is not { } cached || cached.Owner != this) { return new Utf8JsonWriter(output, _writing); }
        _cached = null;
        cached.Writer.Reset(output);
        return cached.Writer;
    }
}
