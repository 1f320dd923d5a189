namespace CoAP.Exchanges;

/// <summary>A sender of the library, which knows its environment.</summary>
internal interface IEnvironmentSender : IRequestSender
{
    SenderEnvironment Environment { get; }

    /// <summary>Returns the environment of a sender, also through steps.</summary>
    static SenderEnvironment EnvironmentOf(IRequestSender sender) => (sender as IEnvironmentSender)?.Environment ?? SenderEnvironment.Default;
}
