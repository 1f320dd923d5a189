using System.Buffers;

namespace CoAP.Formats;

/// <summary>The base of <see cref="CborFormat"/>.</summary>
/// <remarks>Immutable. Safe for concurrent use.</remarks>
public abstract class ItemFormat : IPayloadFormat
{
    private readonly ItemCache _tools;

    private protected ItemFormat(PayloadContracts contracts, PayloadLimits? limits, uint contentFormat, string name)
    {
        ArgumentNullException.ThrowIfNull(contracts);
        if (contentFormat > ushort.MaxValue)
        {
            throw new ArgumentOutOfRangeException(
                nameof(contentFormat), $"Content-Format {contentFormat} is greater than 65,535 (RFC 7252, section 12.3).");
        }
        Contracts = contracts;
        Limits = limits ?? PayloadLimits.Default;
        ContentFormat = contentFormat;
        Name = name;
        _tools = new ItemCache(this);
    }

    /// <summary>The contracts of the types that the format can convert.</summary>
    public PayloadContracts Contracts { get; }

    /// <summary>The bounds of what a received payload may cost.</summary>
    public PayloadLimits Limits { get; }

    /// <inheritdoc/>
    public uint ContentFormat { get; }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public bool Handles(Type type) => Contracts.Handles(type);

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">There is no contract for the type.</exception>
    public virtual void Write<T>(IBufferWriter<byte> output, T value)
    {
        ArgumentNullException.ThrowIfNull(output);
        var contract = ContractOf<T>();
        var writer = _tools.TakeWriter();
        writer.Reset(output);
        try
        {
            contract.Write(writer, value);
            writer.Flush();
        }
        finally { _tools.Return(writer); }
    }

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">There is no contract for the type.</exception>
    public T Read<T>(ReadOnlyMemory<byte> payload)
    {
        var contract = ContractOf<T>();
        Limits.CheckSize(payload.Length);
        var reader = _tools.TakeReader();
        reader.Reset(payload, Limits);
        try
        {
            var value = contract.Read(reader);
            reader.ReadEnd();
            return value;
        }
        finally { _tools.Return(reader, Limits); }
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
        ArrayStreams.Write(stream, items, new ArraySink<T>(this, count));
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
        return ArrayStreams.WriteAsync(stream, items, new ArraySink<T>(this, count), cancellationToken);
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
        return ArrayStreams.WriteAsync(stream, items, new ArraySink<T>(this, count), cancellationToken);
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
        return ArrayStreams.Read(stream, new ArraySource<T>(this));
    }

    /// <inheritdoc cref="ReadItems"/>
    public IAsyncEnumerable<T> ReadItemsAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return ArrayStreams.ReadAsync(stream, new ArraySource<T>(this), cancellationToken);
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
        return ArrayStreams.Collect<T>(stream, this, isList: true).ToList();
    }

    /// <inheritdoc cref="ReadList"/>
    public async ValueTask<List<T>> ReadListAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return (await ArrayStreams.CollectAsync<T>(stream, this, isList: true, cancellationToken).ConfigureAwait(false)).ToList();
    }

    /// <inheritdoc cref="ReadList"/>
    public T[] ReadArray<T>(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return ArrayStreams.Collect<T>(stream, this, isList: false).ToArray();
    }

    /// <inheritdoc cref="ReadList"/>
    public async ValueTask<T[]> ReadArrayAsync<T>(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return (await ArrayStreams.CollectAsync<T>(stream, this, isList: false, cancellationToken).ConfigureAwait(false)).ToArray();
    }

    /// <summary>Creates a writer. <see cref="ItemWriter.Reset"/> is called before it is used.</summary>
    private protected abstract ItemWriter CreateWriter();

    /// <summary>Creates a reader. <see cref="ItemReader.Reset"/> is called before it is used.</summary>
    private protected abstract ItemReader CreateReader();

    /// <summary>Reads the head of an array from the start of a stream of which only the first bytes have arrived.</summary>
    /// <param name="start">The first bytes of the stream: at least 64, unless the stream is shorter.</param>
    /// <param name="count">
    /// The number of items, or <see langword="null"/> if the array ends with a mark (CBOR). Not bounded by the bytes that have arrived.
    /// </param>
    /// <returns>The length of the head, in bytes.</returns>
    /// <exception cref="CoapPayloadException">The stream does not start with an array.</exception>
    private protected abstract int ReadArrayHead(ReadOnlySpan<byte> start, out long? count);

    internal ItemWriter NewWriter() => CreateWriter();

    internal ItemReader NewReader() => CreateReader();

    internal int ReadHead(ReadOnlySpan<byte> start, out long? count) => ReadArrayHead(start, out count);

    /// <summary>Finds the contract of a type, or throws.</summary>
    internal PayloadContract<T> ContractOf<T>() => Contracts.Find<T>() ?? throw new NotSupportedException(
        $"The {Name} format has no contract for {typeof(T)}. Add [PayloadContract(typeof({typeof(T).Name}))] to {Contracts.GetType()}.");
}
