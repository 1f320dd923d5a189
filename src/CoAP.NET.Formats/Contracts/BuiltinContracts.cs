using CoAP.Formats.Contracts;

namespace CoAP.Formats;

/// <summary>The contracts for types of the runtime.</summary>
/// <remarks>
/// Numbers are numbers, but <see cref="decimal"/> is a text. <see cref="char"/>, <see cref="Guid"/>, <see cref="DateOnly"/>,
/// <see cref="TimeOnly"/> and <see cref="Uri"/> are texts, as in JSON. <see cref="DateTimeOffset"/> and <see cref="DateTime"/> are points in time
/// without an offset. <see cref="TimeSpan"/> is a number of seconds.
/// </remarks>
internal sealed class BuiltinContracts : PayloadContracts
{
    private static readonly Dictionary<Type, object> Contracts = Create();

    public override PayloadContract<T>? Find<T>() => Cache<T>.Contract;

    public override bool Handles(Type type) => Contracts.ContainsKey(type);

    private static Dictionary<Type, object> Create()
    {
        var contracts = new Dictionary<Type, object>();
        AddNumbers(contracts);
        AddTexts(contracts);
        AddTimes(contracts);
        contracts[typeof(bool?)] = new NullableContract<bool>(AddWithCollections(contracts, new ScalarContract<bool>(
            static (writer, value) => writer.WriteBoolean(value), static reader => reader.ReadBoolean())));
        Add(contracts, static (writer, value) => writer.WriteByteArray(value), static reader => reader.ReadBytes());
        AddValue<ReadOnlyMemory<byte>>(contracts, static (writer, value) => writer.WriteBytes(value.Span), static reader => reader.ReadBytes());
        return contracts;
    }

    private static void AddNumbers(Dictionary<Type, object> contracts)
    {
        AddValue(contracts, static (writer, value) => writer.WriteInt64(value), static reader => reader.ReadSByte());
        AddValue(contracts, static (writer, value) => writer.WriteInt64(value), static reader => reader.ReadByte());
        AddValue(contracts, static (writer, value) => writer.WriteInt64(value), static reader => reader.ReadInt16());
        AddValue(contracts, static (writer, value) => writer.WriteInt64(value), static reader => reader.ReadUInt16());
        AddValue(contracts, static (writer, value) => writer.WriteInt64(value), static reader => reader.ReadUInt32());
        AddValue(contracts, static (writer, value) => writer.WriteUInt64(value), static reader => reader.ReadUInt64());
        AddValue(contracts, static (writer, value) => writer.WriteDecimal(value), static reader => reader.ReadDecimal());
        contracts[typeof(int?)] = new NullableContract<int>(AddWithCollections(contracts, Int32Contract.Instance));
        contracts[typeof(long?)] = new NullableContract<long>(AddWithCollections(contracts, new ScalarContract<long>(
            static (writer, value) => writer.WriteInt64(value), static reader => reader.ReadInt64())));
        contracts[typeof(float?)] = new NullableContract<float>(AddWithCollections(contracts, new ScalarContract<float>(
            static (writer, value) => writer.WriteSingle(value), static reader => reader.ReadSingle())));
        contracts[typeof(double?)] = new NullableContract<double>(AddWithCollections(contracts, new ScalarContract<double>(
            static (writer, value) => writer.WriteDouble(value), static reader => reader.ReadDouble())));
    }

    private static void AddTexts(Dictionary<Type, object> contracts)
    {
        AddWithCollections(contracts, new ScalarContract<string>(
            static (writer, value) => writer.WriteString(value), static reader => reader.ReadText()));
        AddValue(contracts, static (writer, value) => writer.WriteChar(value), static reader => reader.ReadChar());
        AddValue(contracts, static (writer, value) => writer.WriteGuid(value), static reader => reader.ReadGuid());
        Add(contracts, static (writer, value) => writer.WriteUri(value), static reader => reader.ReadUri());
    }

    private static void AddTimes(Dictionary<Type, object> contracts)
    {
        AddValue(contracts, static (writer, value) => writer.WriteTimestamp(value), static reader => reader.ReadDateTimeOffset());
        AddValue(contracts, static (writer, value) => writer.WriteDateTime(value), static reader => reader.ReadDateTime());
        AddValue(contracts, static (writer, value) => writer.WriteTimeSpan(value), static reader => reader.ReadTimeSpan());
        AddValue(contracts, static (writer, value) => writer.WriteDateOnly(value), static reader => reader.ReadDateOnly());
        AddValue(contracts, static (writer, value) => writer.WriteTimeOnly(value), static reader => reader.ReadTimeOnly());
    }

    private static void Add<T>(Dictionary<Type, object> contracts, Action<CborWriter, T> write, Func<CborReader, T> read)
        where T : class => contracts[typeof(T)] = new ScalarContract<T>(write, read);

    private static void AddValue<T>(Dictionary<Type, object> contracts, Action<CborWriter, T> write, Func<CborReader, T> read)
        where T : struct
    {
        var contract = new ScalarContract<T>(write, read);
        contracts[typeof(T)] = contract;
        contracts[typeof(T?)] = new NullableContract<T>(contract);
    }

    private static PayloadContract<T> AddWithCollections<T>(Dictionary<Type, object> contracts, PayloadContract<T> contract)
    {
        contracts[typeof(T)] = contract;
        contracts[typeof(T[])] = new ArrayContract<T>(contract);
        contracts[typeof(List<T>)] = new ListContract<T>(contract);
        contracts[typeof(IReadOnlyList<T>)] = new SequenceContract<IReadOnlyList<T>, T>(contract);
        contracts[typeof(Dictionary<string, T>)] = new DictionaryContract<string, T>(
            new ScalarContract<string>(static (writer, value) => writer.WriteString(value), static reader => reader.ReadText()), contract);
        return contract;
    }

    private static class Cache<T>
    {
        public static readonly PayloadContract<T>? Contract = (PayloadContract<T>?)Contracts.GetValueOrDefault(typeof(T));
    }
}
