using System.Buffers;

namespace CoAP.Formats;

/// <summary>CBOR (application/cbor, Content-Format 60, RFC 8949) in preferred serialization, for the types that have a contract.</summary>
/// <remarks>Immutable. Safe for concurrent use.</remarks>
public sealed class CborFormat : IPayloadFormat
{
    private readonly CborCache _cache;

    /// <summary>Creates the format.</summary>
    /// <param name="contracts">The contracts of the types to convert.</param>
    /// <param name="limits">The bounds of what a received payload may cost. Default: <see cref="PayloadLimits.Default"/>.</param>
    public CborFormat(PayloadContracts contracts, PayloadLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(contracts);
        Contracts = contracts;
        Limits = limits ?? PayloadLimits.Default;
        _cache = new CborCache(Limits);
    }

    /// <summary>The contracts of the types that the format can convert.</summary>
    public PayloadContracts Contracts { get; }

    /// <summary>The bounds of what a received payload may cost.</summary>
    public PayloadLimits Limits { get; }

    /// <summary>
    /// Whether the entries of maps are sorted by their keys, so that equal values have equal bytes, for example for signatures (RFC 8949,
    /// section 4.2.1). Costs a second pass. <see cref="WriteItems"/> does not sort. Default: <see langword="false"/>.
    /// </summary>
    public bool IsDeterministic { get; init; }

    /// <inheritdoc/>
    public uint ContentFormat => ContentFormats.Cbor;

    /// <inheritdoc/>
    public string Name => "CBOR";

    /// <inheritdoc/>
    public bool Handles(Type type) => Contracts.Handles(type);

    /// <inheritdoc/>
    /// <exception cref="ArgumentException">A map has the same key twice, and <see cref="IsDeterministic"/> is set.</exception>
    /// <exception cref="NotSupportedException">There is no contract for the type.</exception>
    public void Write<T>(IBufferWriter<byte> output, T value)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (!IsDeterministic)
        {
            WriteUnsorted(output, value);
            return;
        }
        var unsorted = new ArrayBufferWriter<byte>();
        WriteUnsorted(unsorted, value);
        CborSorting.Write(unsorted.WrittenMemory, output);
    }

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">There is no contract for the type.</exception>
    public T Read<T>(ReadOnlyMemory<byte> payload)
    {
        var contract = ContractOf<T>();
        Limits.CheckSize(payload.Length);
        var reader = _cache.TakeReader();
        reader.Reset(payload, Limits);
        reader.BeginValue();
        try
        {
            var value = contract.Read(reader);
            reader.ReadEnd();
            return value;
        }
        finally { _cache.Return(reader); }
    }

    /// <summary>Writes a large array to a stream, item by item. Keeps at most 64 KiB and one item in memory.</summary>
    /// <param name="stream">The stream. It is not closed.</param>
    /// <param name="items">The items.</param>
    /// <param name="count">The number of items, which the array announces at its start.</param>
    /// <exception cref="ArgumentOutOfRangeException">The count is negative.</exception>
    /// <exception cref="ArgumentException">The sequence has another number of items. The stream then contains an incomplete array.</exception>
    /// <exception cref="NotSupportedException">There is no contract for <typeparamref name="T"/>.</exception>
    public void WriteItems<T>(Stream stream, IEnumerable<T> items, int count)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(items);
        CborStreams.Write(stream, items, new CborItemSink<T>(ContractOf<T>(), count));
    }

    /// <inheritdoc cref="WriteItems" path="/summary|/exception"/>
    /// <param name="stream">The stream. It is not closed.</param>
    /// <param name="items">The items.</param>
    /// <param name="count">The number of items, which the array announces at its start.</param>
    /// <param name="cancellationToken">Cancels the transfer.</param>
    public ValueTask WriteItemsAsync<T>(Stream stream, IEnumerable<T> items, int count, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(items);
        return CborStreams.WriteAsync(stream, items, new CborItemSink<T>(ContractOf<T>(), count), cancellationToken);
    }

    /// <inheritdoc cref="WriteItems" path="/summary|/exception"/>
    /// <param name="stream">The stream. It is not closed.</param>
    /// <param name="items">The items.</param>
    /// <param name="count">The number of items, which the array announces at its start.</param>
    /// <param name="cancellationToken">Cancels the transfer.</param>
    public ValueTask WriteItemsAsync<T>(Stream stream, IAsyncEnumerable<T> items, int count, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(items);
        return CborStreams.WriteAsync(stream, items, new CborItemSink<T>(ContractOf<T>(), count), cancellationToken);
    }

    /// <summary>Reads a large array from a stream, item by item. Keeps at most 64 KiB, or twice the longest item, in memory.</summary>
    /// <remarks>
    /// The <see cref="Limits"/> bound each item by itself, including its depth. The number of items is not bounded, because they are not kept.
    /// An item is returned when 1 KiB more has arrived or the stream has ended. The stream must contain nothing but the array. It is not closed.
    /// Enumerate the items only once.
    /// </remarks>
    /// <exception cref="CoapPayloadException">
    /// An item is malformed, exceeds a limit, or is not a <typeparamref name="T"/>. Thrown when the item is reached.
    /// </exception>
    /// <exception cref="InvalidOperationException">The items are enumerated a second time.</exception>
    /// <exception cref="NotSupportedException">There is no contract for <typeparamref name="T"/>.</exception>
    public IEnumerable<T> ReadItems<T>(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return CborStreams.Read(stream, Source<T>());
    }

    /// <inheritdoc cref="ReadItems"/>
    public IAsyncEnumerable<T> ReadItemsAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return CborStreams.ReadAsync(stream, Source<T>(), cancellationToken);
    }

    /// <summary>Reads a large array from a stream. Needs about 64 KiB besides the result, or twice the longest item.</summary>
    /// <remarks>
    /// <see cref="PayloadLimits.MaxSize"/> bounds the stream and <see cref="PayloadLimits.MaxCount"/> the array; the other limits bound each item.
    /// The stream is not closed.
    /// </remarks>
    /// <exception cref="CoapPayloadException">
    /// The array is malformed, exceeds a limit, or has an item that is not a <typeparamref name="T"/>.
    /// </exception>
    /// <exception cref="NotSupportedException">There is no contract for <typeparamref name="T"/>.</exception>
    public List<T> ReadList<T>(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return CborStreams.Collect(stream, Source<T>(), isList: true).ToList();
    }

    /// <inheritdoc cref="ReadList"/>
    public async ValueTask<List<T>> ReadListAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return (await CborStreams.CollectAsync(stream, Source<T>(), isList: true, cancellationToken).ConfigureAwait(false)).ToList();
    }

    /// <inheritdoc cref="ReadList"/>
    public T[] ReadArray<T>(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return CborStreams.Collect(stream, Source<T>(), isList: false).ToArray();
    }

    /// <inheritdoc cref="ReadList"/>
    public async ValueTask<T[]> ReadArrayAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return (await CborStreams.CollectAsync(stream, Source<T>(), isList: false, cancellationToken).ConfigureAwait(false)).ToArray();
    }

    private void WriteUnsorted<T>(IBufferWriter<byte> output, T value)
    {
        var contract = ContractOf<T>();
        var writer = _cache.TakeWriter();
        writer.Reset(output);
        try
        {
            contract.Write(writer, value);
            writer.Flush();
        }
        finally { _cache.Return(writer); }
    }

    private CborItemSource<T> Source<T>() => new(ContractOf<T>(), Limits);

    private PayloadContract<T> ContractOf<T>() => Contracts.Find<T>() ?? throw new NotSupportedException(
        $"The {Name} format has no contract for {typeof(T)}. Add [PayloadContract(typeof({typeof(T).Name}))] to {Contracts.GetType()}.");
}
