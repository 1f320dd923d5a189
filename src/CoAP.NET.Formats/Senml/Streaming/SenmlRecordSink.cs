using System.Buffers;
using System.Text.Json;

namespace CoAP.Formats;

/// <summary>Turns records into the bytes of a stream: an array of unknown length, piece by piece (RFC 8428, sections 5 and 6).</summary>
internal sealed class SenmlRecordSink(bool isCbor, SenmlSettings settings)
{
    private const byte CborArrayStart = 0x9f;
    private const byte CborBreak = 0xff;

    private readonly ArrayBufferWriter<byte> _output = new();
    private readonly SenmlScope _scope = new(settings);
    private int _number;

    /// <summary>Returns the bytes of the next record. Valid until the next call.</summary>
    public ReadOnlyMemory<byte> Write(SenmlRecord record)
    {
        ArgumentNullException.ThrowIfNull(record);
        SenmlChecks.Check(record, _scope, _number + 1);
        _output.ResetWrittenCount();
        Separate();
        if (isCbor)
        {
            var writer = new CborWriter(_output);
            SenmlCborRecords.Write(writer, record);
            writer.Flush();
        }
        else
        {
            using var writer = new Utf8JsonWriter(_output, SenmlJson.WriterOptions);
            SenmlJsonRecords.Write(writer, record);
        }
        _number++;
        return _output.WrittenMemory;
    }

    /// <summary>Returns the bytes behind the last record.</summary>
    public ReadOnlyMemory<byte> End()
    {
        if (_number == 0) { throw new ArgumentException("There is no record; a stream requires at least 1 (RFC 8428, section 3)."); }
        return new[] { isCbor ? CborBreak : (byte)']' };
    }

    private void Separate()
    {
        if (!isCbor) { _output.Write(_number == 0 ? "["u8 : ","u8); }
        else if (_number == 0) { _output.Write([CborArrayStart]); }
    }
}
