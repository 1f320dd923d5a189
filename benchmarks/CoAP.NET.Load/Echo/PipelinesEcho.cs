using System.IO.Pipelines;
using System.Net.Sockets;

namespace CoAP.Load.Echo;

/// <summary>Connections over pipes, with one flush for each read.</summary>
internal static class PipelinesEcho
{
    private static readonly StreamPipeReaderOptions Reading = new(bufferSize: 16 << 10, useZeroByteReads: true);

    /// <summary>Serves until the listener is disposed of.</summary>
    public static async Task RunAsync(Socket listener)
    {
        try
        {
            while (true) { _ = ServeAsync(await listener.AcceptAsync()); }
        }
        catch (Exception end) when (end is SocketException or ObjectDisposedException)
        {
            // The listener was disposed of.
        }
    }

    private static async Task ServeAsync(Socket connection)
    {
        connection.NoDelay = true;
        await using var stream = new NetworkStream(connection, ownsSocket: true);
        var (reader, writer) = (PipeReader.Create(stream, Reading), PipeWriter.Create(stream));
        try
        {
            await writer.WriteAsync(BareAnswer.Csm.ToArray());
            while (true)
            {
                var read = await reader.ReadAsync();
                if (read.IsCompleted) { return; }
                var consumed = BareAnswer.ToStream(read.Buffer, writer);
                reader.AdvanceTo(read.Buffer.GetPosition(consumed), read.Buffer.End);
                await writer.FlushAsync();
            }
        }
        catch (IOException)
        {
            // The peer is gone.
        }
    }
}
