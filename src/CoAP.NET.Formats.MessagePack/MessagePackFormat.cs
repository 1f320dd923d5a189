using System.Buffers;
using System.Collections.Concurrent;
using Nerdbank.MessagePack;
using PolyType;

namespace CoAP.Formats;

/// <summary>MessagePack (https://msgpack.org) by Nerdbank.MessagePack, for types with shapes of PolyType. Needs no reflection.</summary>
/// <remarks>
/// <para>To let the source generator of PolyType describe your types, declare a partial class with one attribute for each of them:</para>
/// <code>
/// [GenerateShapeFor&lt;Reading&gt;]
/// internal sealed partial class DeviceShapes;
/// </code>
/// <para>Then pass <c>DeviceShapes.GeneratedTypeShapeProvider</c>. No Content-Format is registered for MessagePack. Both endpoints must use the same
/// identifier: 65,100 by default, from the range for experiments (RFC 7252, section 12.3).</para>
/// <para>Invalid UTF-8 in a text and bytes after the value are errors. A payload of nil is an error unless the type is a nullable value type.
/// At most 32 levels of arrays and maps are allowed, even if <see cref="PayloadLimits.MaxDepth"/> is larger. Immutable. Safe for concurrent
/// use.</para>
/// </remarks>
public sealed class MessagePackFormat : IPayloadFormat
{
    /// <summary>The identifier that is used by default: 65,100. It is not registered.</summary>
    public const uint DefaultContentFormat = 65_100;

    private readonly ConcurrentDictionary<Type, ITypeShape?> _found = [];
    private readonly ITypeShapeProvider _shapes;
    private readonly MessagePackSerializer _serializer;

    /// <summary>Creates a format.</summary>
    /// <param name="shapes">The shapes of the types, such as <c>DeviceShapes.GeneratedTypeShapeProvider</c>.</param>
    /// <param name="limits">The bounds of what a received payload may cost. Default: <see cref="PayloadLimits.Default"/>.</param>
    /// <param name="contentFormat">The identifier of the format. 65,000 to 65,535 are free for experiments.</param>
    /// <param name="serializer">
    /// The options of Nerdbank.MessagePack, such as converters and the naming policy. Its maximum depth is replaced. Default: all members are written,
    /// with their names.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">The identifier is greater than 65,535.</exception>
    public MessagePackFormat(
        ITypeShapeProvider shapes, PayloadLimits? limits = null, uint contentFormat = DefaultContentFormat, MessagePackSerializer? serializer = null)
    {
        ArgumentNullException.ThrowIfNull(shapes);
        if (contentFormat > ushort.MaxValue)
        {
            throw new ArgumentOutOfRangeException(
                nameof(contentFormat), $"Content-Format {contentFormat} is greater than 65,535 (RFC 7252, section 12.3).");
        }
        _shapes = shapes;
        Limits = limits ?? PayloadLimits.Default;
        ContentFormat = contentFormat;
        var options = WithStrictText(serializer ?? new MessagePackSerializer { SerializeDefaultValues = SerializeDefaultValuesPolicy.Always });
        // A value that is not an array or map takes one more.
        _serializer = options with { StartingContext = options.StartingContext with { MaxDepth = MessagePackScan.MostLevels + 1 } };
    }

    /// <summary>The bounds of what a received payload may cost.</summary>
    public PayloadLimits Limits { get; }

    /// <inheritdoc/>
    public uint ContentFormat { get; }

    /// <inheritdoc/>
    public string Name => "MessagePack";

    /// <inheritdoc/>
    public bool Handles(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return Find(type) is not null;
    }

    /// <inheritdoc/>
    /// <exception cref="ArgumentException">
    /// The value cannot be written, because a text contains a lone surrogate, or because the value has too many levels, for example because it contains
    /// itself.
    /// </exception>
    /// <exception cref="NotSupportedException">There is no shape for the type.</exception>
    public void Write<T>(IBufferWriter<byte> output, T value)
    {
        ArgumentNullException.ThrowIfNull(output);
        var shape = ShapeOf<T>();
        try { _serializer.Serialize(output, in value, shape, CancellationToken.None); }
        catch (MessagePackSerializationException exception) when (!MessagePackErrors.IsOfShape(exception))
        {
            throw MessagePackErrors.OfValue(typeof(T), nameof(value), exception);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">There is no shape for the type.</exception>
    public T Read<T>(ReadOnlyMemory<byte> payload)
    {
        var shape = ShapeOf<T>();
        Limits.CheckSize(payload.Length);
        var scan = default(MessagePackScan);
        if (!scan.TryFinish(payload.Span, Limits, origin: 0))
        {
            throw new CoapPayloadException($"The payload ends within a value (at byte {scan.Length}).", scan.Length);
        }
        if (scan.Length < payload.Length)
        {
            throw new CoapPayloadException($"The payload continues after the value (at byte {scan.Length}).", scan.Length);
        }
        return Read(payload, shape, origin: 0);
    }

    /// <summary>Writes a large array to a stream, item by item. Keeps at most 64 KiB and one item in memory.</summary>
    /// <param name="stream">The stream. It is not closed.</param>
    /// <param name="items">The items.</param>
    /// <param name="count">The number of items, which the array announces at its start.</param>
    /// <exception cref="ArgumentOutOfRangeException">The count is negative.</exception>
    /// <exception cref="ArgumentException">The sequence has another number of items. The stream then contains an incomplete array.</exception>
    /// <exception cref="NotSupportedException">There is no shape for <typeparamref name="T"/>.</exception>
    public void WriteItems<T>(Stream stream, IEnumerable<T> items, int count)
    {
        ArgumentNullException.ThrowIfNull(items);
        var sink = new MessagePackItemSink<T>(this, count);
        MessagePackStreams.Write(stream, items, sink);
    }

    /// <inheritdoc cref="WriteItems" path="/summary|/exception"/>
    /// <param name="stream">The stream. It is not closed.</param>
    /// <param name="items">The items.</param>
    /// <param name="count">The number of items, which the array announces at its start.</param>
    /// <param name="cancellationToken">Cancels the transfer.</param>
    public ValueTask WriteItemsAsync<T>(Stream stream, IEnumerable<T> items, int count, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        return MessagePackStreams.WriteAsync(stream, items.ToAsyncEnumerable(), new MessagePackItemSink<T>(this, count), cancellationToken);
    }

    /// <inheritdoc cref="WriteItems" path="/summary|/exception"/>
    /// <param name="stream">The stream. It is not closed.</param>
    /// <param name="items">The items.</param>
    /// <param name="count">The number of items, which the array announces at its start.</param>
    /// <param name="cancellationToken">Cancels the transfer.</param>
    public ValueTask WriteItemsAsync<T>(Stream stream, IAsyncEnumerable<T> items, int count, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        return MessagePackStreams.WriteAsync(stream, items, new MessagePackItemSink<T>(this, count), cancellationToken);
    }

    /// <summary>Reads a large array from a stream, item by item. Keeps at most 64 KiB, or twice the longest item, in memory.</summary>
    /// <remarks>
    /// The <see cref="Limits"/> bound each item by itself, including its depth. The number of items is not bounded, because they are not kept. The
    /// stream must contain nothing but the array. It is not closed. Enumerate the items only once.
    /// </remarks>
    /// <exception cref="CoapPayloadException">
    /// An item is malformed, exceeds a limit, or is not a <typeparamref name="T"/>. Thrown when the item is reached.
    /// </exception>
    /// <exception cref="NotSupportedException">There is no shape for <typeparamref name="T"/>.</exception>
    public IEnumerable<T> ReadItems<T>(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return MessagePackStreams.Read(stream, new MessagePackItemSource<T>(this));
    }

    /// <inheritdoc cref="ReadItems"/>
    public IAsyncEnumerable<T> ReadItemsAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return MessagePackStreams.ReadAsync(stream, new MessagePackItemSource<T>(this), cancellationToken);
    }

    /// <summary>Returns the shape of a type.</summary>
    /// <exception cref="NotSupportedException">There is no shape for the type.</exception>
    internal ITypeShape<T> ShapeOf<T>() => Find(typeof(T)) as ITypeShape<T> ?? throw new NotSupportedException(
        $"The MessagePack format has no shape for {typeof(T)}. Add [GenerateShapeFor<{typeof(T).Name}>] to the class of the shapes.");

    /// <summary>Reads one value, which has been scanned.</summary>
    /// <remarks>The origin is the offset of the value in its stream, for error messages.</remarks>
    internal T Read<T>(ReadOnlyMemory<byte> payload, ITypeShape<T> shape, long origin)
    {
        var bytes = new ReadOnlySequence<byte>(payload);
        var reader = new MessagePackReader(bytes);
        T? value;
        try { value = _serializer.Deserialize(ref reader, shape, CancellationToken.None); }
        catch (MessagePackSerializationException exception) when (!MessagePackErrors.IsOfShape(exception))
        {
            throw MessagePackErrors.OfPayload(exception, origin + bytes.Slice(0, reader.Position).Length);
        }
        if (value is null && !typeof(T).IsValueType)
        {
            throw new CoapPayloadException($"The MessagePack value is nil; a value is required (at byte {origin}).", origin);
        }
        return value!;
    }

    // A converter of the caller for texts is kept.
    private static MessagePackSerializer WithStrictText(MessagePackSerializer serializer) =>
        serializer.Converters.Any(static one => one.GetType().IsAssignableTo(typeof(MessagePackConverter<string>)))
            ? serializer
            : serializer with { Converters = [.. serializer.Converters, new StrictTextConverter()] };

    private ITypeShape? Find(Type type) => _found.TryGetValue(type, out var shape) ? shape : _found.GetOrAdd(type, _shapes.GetTypeShape(type));
}
