namespace CoAP.Benchmarks.Load;

/// <summary>Receives datagrams in batches and answers each batch with one system call.</summary>
internal static class BareUdp
{
    /// <summary>Serves on the calling thread until the process ends.</summary>
    public static void Run(Socket socket)
    {
        using AddressedBatch received = new(), answers = new();
        while (true)
        {
            var (count, answered) = (received.ReceiveFrom(socket, AddressedBatch.WaitForOne), 0);
            for (var index = 0; index < count; index++)
            {
                var length = BareAnswer.ToDatagram(received.Datagram(index), answers.Room(answered));
                if (length > 0) { answers.SetAnswer(answered++, length, received, index); }
            }
            if (answered > 0) { answers.Send(socket, answered, 0); }
        }
    }
}
