namespace CoAP.Transports;

/// <summary>Receives the events of an <see cref="IStreamConnection"/>, on any thread. At most one more event follows its disposal.</summary>
internal interface IStreamEvents
{
    /// <summary>Called on the lane when an armed operation can continue. <see cref="IStreamConnection.RaiseEvents"/> continues it.</summary>
    void OnReady() { }

    /// <summary>Called when an armed receive can continue.</summary>
    void OnReadable();

    /// <summary>Called when an armed send has completed or failed.</summary>
    void OnWritable();
}
