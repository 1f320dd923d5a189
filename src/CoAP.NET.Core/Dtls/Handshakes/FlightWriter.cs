namespace CoAP.Dtls;

/// <summary>Writes the records of a handshake: plain records before ChangeCipherSpec, protected records after it.</summary>
/// <param name="cipher">The cipher.</param>
/// <param name="firstNumber">The number of the first plain record. A server continues that of the ClientHello (RFC 6347, section 4.2.1).</param>
internal sealed class FlightWriter(IRecordCipher cipher, RecordNumber firstNumber = default)
{
    /// <summary>The number of the next plain record.</summary>
    public RecordNumber NextPlain { get; private set; } = firstNumber;

    /// <summary>The session, once its keys are known.</summary>
    public DtlsSession? Session { get; set; }

    /// <summary>Returns the bytes that a record adds to its content.</summary>
    public int OverheadOf(ushort epoch) => epoch == 0 ? DtlsRecord.HeaderLength : Session!.LengthOf(0);

    /// <summary>Writes a record. Returns its length.</summary>
    public int Write(ContentType type, ushort epoch, ReadOnlySpan<byte> content, Span<byte> destination)
    {
        if (epoch > 0) { return Session!.Seal(cipher, type, content, destination); }
        var head = DtlsRecord.WriteHeader(destination, type, NextPlain, default, content.Length);
        NextPlain = new RecordNumber(NextPlain.Value + 1);
        content.CopyTo(destination[head..]);
        return head + content.Length;
    }
}
