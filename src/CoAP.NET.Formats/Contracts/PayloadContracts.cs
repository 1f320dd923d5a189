namespace CoAP.Formats;

/// <summary>A set of contracts: for each type, how its values are written and read. Needs no reflection.</summary>
/// <remarks>
/// <para>To let the source generator implement it, declare a partial class with one attribute for each type:</para>
/// <code>
/// [PayloadContract(typeof(Reading))]
/// internal sealed partial class DeviceContracts : PayloadContracts;
/// </code>
/// <para>Then use <c>DeviceContracts.Default</c>. Types of the runtime, such as numbers, texts and lists of them, need no attribute. Safe for
/// concurrent use.</para>
/// </remarks>
public abstract class PayloadContracts
{
    /// <summary>The contracts for types of the runtime: numbers, texts, times, bytes, and arrays and lists of them.</summary>
    public static PayloadContracts Builtin { get; } = new BuiltinContracts();

    /// <summary>Returns the contract of a type, or <see langword="null"/> if there is none.</summary>
    public abstract PayloadContract<T>? Find<T>();

    /// <summary>Returns whether there is a contract for a type.</summary>
    public abstract bool Handles(Type type);
}
