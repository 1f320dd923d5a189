using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace CoAP.Formats.Contracts;

/// <summary>The contract of enums that are written as numbers. Numbers without a name are allowed. For generated code.</summary>
/// <typeparam name="T">The enum.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class EnumContract<T> : PayloadContract<T>
    where T : struct, Enum
{
    private static readonly TypeCode Code = Type.GetTypeCode(typeof(T));

    /// <inheritdoc/>
    public override void Write(CborWriter writer, T value)
    {
        switch (Code)
        {
            case TypeCode.SByte: writer.WriteInt64(Unsafe.As<T, sbyte>(ref value)); break;
            case TypeCode.Byte: writer.WriteInt64(Unsafe.As<T, byte>(ref value)); break;
            case TypeCode.Int16: writer.WriteInt64(Unsafe.As<T, short>(ref value)); break;
            case TypeCode.UInt16: writer.WriteInt64(Unsafe.As<T, ushort>(ref value)); break;
            case TypeCode.Int32: writer.WriteInt64(Unsafe.As<T, int>(ref value)); break;
            case TypeCode.UInt32: writer.WriteInt64(Unsafe.As<T, uint>(ref value)); break;
            case TypeCode.Int64: writer.WriteInt64(Unsafe.As<T, long>(ref value)); break;
            default: writer.WriteUInt64(Unsafe.As<T, ulong>(ref value)); break;
        }
    }

    /// <inheritdoc/>
    public override T Read(CborReader reader) => Code switch
    {
        TypeCode.SByte => From(reader.ReadSByte()),
        TypeCode.Byte => From(reader.ReadByte()),
        TypeCode.Int16 => From(reader.ReadInt16()),
        TypeCode.UInt16 => From(reader.ReadUInt16()),
        TypeCode.Int32 => From(reader.ReadInt32()),
        TypeCode.UInt32 => From(reader.ReadUInt32()),
        TypeCode.Int64 => From(reader.ReadInt64()),
        _ => From(reader.ReadUInt64()),
    };

    private static T From<TNumber>(TNumber number)
        where TNumber : unmanaged => Unsafe.As<TNumber, T>(ref number);
}
