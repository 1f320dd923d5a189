using System.Net.Sockets;

namespace CoAP.Load;

/// <summary>How datagrams are received and sent in batches.</summary>
internal interface IDatagramCalls : IDisposable
{
    /// <summary>The datagrams of one batch at most.</summary>
    const int BatchSize = 64;

    /// <summary>Receives without waiting what has come to a connected socket. Answers how many; below 0 if the system refused.</summary>
    int Receive(Socket socket);

    /// <summary>One of those received last; valid until the next are.</summary>
    ReadOnlySpan<byte> Datagram(int index);

    /// <summary>Sends requests without waiting. Answers how many; below 0 if the system refused.</summary>
    int Send(Socket socket, RequestTable requests, ReadOnlySpan<int> slots);
}
