using System.Runtime.CompilerServices;

namespace CoAP.Formats;

/// <summary>Reads and writes SenML streams: records that are sent one after another, as they are measured (RFC 8428, section 4.8).</summary>
/// <remarks>
/// A record is available as soon as its last byte has arrived. Use <see cref="SenmlResolver"/> to evaluate the records.
/// <see cref="PayloadLimits.MaxSize"/> bounds a single record. The number of records is not bounded.
/// </remarks>
public static class SenmlStream
{
    /// <summary>Reads the records of a stream.</summary>
    /// <param name="stream">The stream. It may end with or without the mark for the end of the array. It is not closed.</param>
    /// <param name="contentFormat"><see cref="ContentFormats.SensmlJson"/> or <see cref="ContentFormats.SensmlCbor"/>.</param>
    /// <param name="limits">The bounds of what a record may cost; <see langword="null"/> for the default ones.</param>
    /// <param name="settings">The bounds and rules of SenML; <see langword="null"/> for the default ones.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <exception cref="ArgumentException">The Content-Format is another one.</exception>
    /// <exception cref="CoapPayloadException">The stream or a record is malformed or exceeds a limit. Thrown by the loop.</exception>
    public static IAsyncEnumerable<SenmlRecord> ReadAsync(
        Stream stream, uint contentFormat, PayloadLimits? limits = null, SenmlSettings? settings = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return ReadRecordsAsync(stream, Open(contentFormat, limits, settings), cancellationToken);
    }

    /// <summary>Reads the records of a stream. Blocks the thread until a record has arrived.</summary>
    /// <inheritdoc cref="ReadAsync"/>
    public static IEnumerable<SenmlRecord> Read(Stream stream, uint contentFormat, PayloadLimits? limits = null, SenmlSettings? settings = null)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return ReadRecords(stream, Open(contentFormat, limits, settings));
    }

    /// <summary>Writes records as they come, and flushes the stream after each. Ends with the mark for the end of the array.</summary>
    /// <param name="stream">The stream. It is not closed.</param>
    /// <param name="records">The records.</param>
    /// <param name="contentFormat"><see cref="ContentFormats.SensmlJson"/> or <see cref="ContentFormats.SensmlCbor"/>.</param>
    /// <param name="settings">The rules for names; <see langword="null"/> for the default ones.</param>
    /// <param name="cancellationToken">Ends the writing. The mark is then missing, which receivers accept.</param>
    /// <exception cref="ArgumentException">The Content-Format is another one, or a record breaks a rule of RFC 8428.</exception>
    public static async Task WriteAsync(
        Stream stream, IAsyncEnumerable<SenmlRecord> records, uint contentFormat, SenmlSettings? settings = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(records);
        var writer = new SenmlRecordSink(IsCbor(contentFormat), settings ?? SenmlSettings.Default);
        await foreach (var record in records.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            await stream.WriteAsync(writer.Write(record), cancellationToken).ConfigureAwait(false);
            await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        await stream.WriteAsync(writer.End(), cancellationToken).ConfigureAwait(false);
        await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Writes records as they come, and flushes the stream after each. Ends with the mark for the end. Blocks the thread.</summary>
    /// <inheritdoc cref="WriteAsync"/>
    public static void Write(Stream stream, IEnumerable<SenmlRecord> records, uint contentFormat, SenmlSettings? settings = null)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(records);
        var writer = new SenmlRecordSink(IsCbor(contentFormat), settings ?? SenmlSettings.Default);
        foreach (var record in records)
        {
            stream.Write(writer.Write(record).Span);
            stream.Flush();
        }
        stream.Write(writer.End().Span);
        stream.Flush();
    }

    private static async IAsyncEnumerable<SenmlRecord> ReadRecordsAsync(
        Stream stream, SenmlRecordSource source, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (true)
        {
            while (source.Next() is { } record) { yield return record; }
            if (source.IsAtEnd) { yield break; }
            source.Advance(await stream.ReadAsync(source.GetSpace(), cancellationToken).ConfigureAwait(false));
        }
    }

    private static IEnumerable<SenmlRecord> ReadRecords(Stream stream, SenmlRecordSource source)
    {
        while (true)
        {
            while (source.Next() is { } record) { yield return record; }
            if (source.IsAtEnd) { yield break; }
            source.Advance(stream.Read(source.GetSpace().Span));
        }
    }

    private static SenmlRecordSource Open(uint contentFormat, PayloadLimits? limits, SenmlSettings? settings)
    {
        limits ??= PayloadLimits.Default;
        SenmlFramer framer = IsCbor(contentFormat) ? new SenmlCborFramer(limits) : new SenmlJsonFramer(limits);
        return new SenmlRecordSource(framer, limits, settings ?? SenmlSettings.Default);
    }

    private static bool IsCbor(uint contentFormat) => contentFormat switch
    {
        ContentFormats.SensmlCbor => true,
        ContentFormats.SensmlJson => false,
        _ => throw new ArgumentException(
            $"Content-Format {contentFormat} is not a SenML stream; {ContentFormats.SensmlJson} and {ContentFormats.SensmlCbor} are.",
            nameof(contentFormat)),
    };
}
